
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'kubectl-rsexp' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'kubectl-rsexp'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'kubectl-rsexp' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List ReplicaSets with the verdict about their next sync')
            [CompletionResult]::new('get', 'get', [CompletionResultType]::ParameterValue, 'List ReplicaSets with the verdict about their next sync')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain why a ReplicaSet is (not) acted on, or what a reason code means')
            [CompletionResult]::new('dry-run', 'dry-run', [CompletionResultType]::ParameterValue, 'Simulate the next syncs, as things are or as they might be')
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Show recorded demonstrations, without a cluster')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Show what this user may read of the cluster, and what is lost without the rest')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the version, and the Kubernetes versions that are known')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-rsexp;list' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--controller-log', '--controller-log', [CompletionResultType]::ParameterName, 'Read a log of the controller-manager too; may be repeated. Without -f it is read alone, or beside the cluster if a flag is about that (--window 5s)')
            [CompletionResult]::new('--controller-log-utc-offset', '--controller-log-utc-offset', [CompletionResultType]::ParameterName, 'The zone of the times in a log''s text, such as +02:00 [default: UTC]')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Answer for this instant of a recording (RFC 3339); may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Take this time as the present (RFC 3339)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'The control plane''s version: 1.N, 1.N.P or v1.N.P')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--field-selector', '--field-selector', [CompletionResultType]::ParameterName, 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop')
            [CompletionResult]::new('--window', '--window', [CompletionResultType]::ParameterName, 'Watch the cluster for so long before answering [default: 5s; list: 0]')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Watch until every verdict is this one: settled, act, skip, blocked, undetermined')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up --watch or --until after so long')
            [CompletionResult]::new('--chunk-size', '--chunk-size', [CompletionResultType]::ParameterName, 'Objects a page of a list; 0 asks for all at once')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Use this context of the kubeconfig')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Use this cluster of the kubeconfig')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Use this user of the kubeconfig')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Trust these certificate authorities')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: anybody may be answering')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Check the server''s certificate for this name')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask for compressed answers')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Log in with this bearer token')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'Log in with this name (basic authentication)')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Log in with this password (basic authentication)')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Log in with this certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The key of the certificate')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Impersonate this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Impersonate this group; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Impersonate this UID')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Impersonate with this extra information; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 never')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'cache-dir')
            [CompletionResult]::new('--match-server-version', '--match-server-version', [CompletionResultType]::ParameterName, 'match-server-version')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'profile')
            [CompletionResult]::new('--profile-output', '--profile-output', [CompletionResultType]::ParameterName, 'profile-output')
            [CompletionResult]::new('--log-flush-frequency', '--log-flush-frequency', [CompletionResultType]::ParameterName, 'log-flush-frequency')
            [CompletionResult]::new('--vmodule', '--vmodule', [CompletionResultType]::ParameterName, 'vmodule')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'warnings-as-errors')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Tell the verdict by the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined')
            [CompletionResult]::new('--pods', '--pods', [CompletionResultType]::ParameterName, 'Show the pods beneath their ReplicaSet')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column heads')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;get' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--controller-log', '--controller-log', [CompletionResultType]::ParameterName, 'Read a log of the controller-manager too; may be repeated. Without -f it is read alone, or beside the cluster if a flag is about that (--window 5s)')
            [CompletionResult]::new('--controller-log-utc-offset', '--controller-log-utc-offset', [CompletionResultType]::ParameterName, 'The zone of the times in a log''s text, such as +02:00 [default: UTC]')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Answer for this instant of a recording (RFC 3339); may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Take this time as the present (RFC 3339)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'The control plane''s version: 1.N, 1.N.P or v1.N.P')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--field-selector', '--field-selector', [CompletionResultType]::ParameterName, 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop')
            [CompletionResult]::new('--window', '--window', [CompletionResultType]::ParameterName, 'Watch the cluster for so long before answering [default: 5s; list: 0]')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Watch until every verdict is this one: settled, act, skip, blocked, undetermined')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up --watch or --until after so long')
            [CompletionResult]::new('--chunk-size', '--chunk-size', [CompletionResultType]::ParameterName, 'Objects a page of a list; 0 asks for all at once')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Use this context of the kubeconfig')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Use this cluster of the kubeconfig')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Use this user of the kubeconfig')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Trust these certificate authorities')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: anybody may be answering')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Check the server''s certificate for this name')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask for compressed answers')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Log in with this bearer token')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'Log in with this name (basic authentication)')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Log in with this password (basic authentication)')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Log in with this certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The key of the certificate')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Impersonate this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Impersonate this group; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Impersonate this UID')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Impersonate with this extra information; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 never')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'cache-dir')
            [CompletionResult]::new('--match-server-version', '--match-server-version', [CompletionResultType]::ParameterName, 'match-server-version')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'profile')
            [CompletionResult]::new('--profile-output', '--profile-output', [CompletionResultType]::ParameterName, 'profile-output')
            [CompletionResult]::new('--log-flush-frequency', '--log-flush-frequency', [CompletionResultType]::ParameterName, 'log-flush-frequency')
            [CompletionResult]::new('--vmodule', '--vmodule', [CompletionResultType]::ParameterName, 'vmodule')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'warnings-as-errors')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Tell the verdict by the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined')
            [CompletionResult]::new('--pods', '--pods', [CompletionResultType]::ParameterName, 'Show the pods beneath their ReplicaSet')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column heads')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;explain' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--controller-log', '--controller-log', [CompletionResultType]::ParameterName, 'Read a log of the controller-manager too; may be repeated. Without -f it is read alone, or beside the cluster if a flag is about that (--window 5s)')
            [CompletionResult]::new('--controller-log-utc-offset', '--controller-log-utc-offset', [CompletionResultType]::ParameterName, 'The zone of the times in a log''s text, such as +02:00 [default: UTC]')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Answer for this instant of a recording (RFC 3339); may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Take this time as the present (RFC 3339)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'The control plane''s version: 1.N, 1.N.P or v1.N.P')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--field-selector', '--field-selector', [CompletionResultType]::ParameterName, 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop')
            [CompletionResult]::new('--window', '--window', [CompletionResultType]::ParameterName, 'Watch the cluster for so long before answering [default: 5s; list: 0]')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Watch until every verdict is this one: settled, act, skip, blocked, undetermined')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up --watch or --until after so long')
            [CompletionResult]::new('--chunk-size', '--chunk-size', [CompletionResultType]::ParameterName, 'Objects a page of a list; 0 asks for all at once')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Use this context of the kubeconfig')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Use this cluster of the kubeconfig')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Use this user of the kubeconfig')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Trust these certificate authorities')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: anybody may be answering')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Check the server''s certificate for this name')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask for compressed answers')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Log in with this bearer token')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'Log in with this name (basic authentication)')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Log in with this password (basic authentication)')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Log in with this certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The key of the certificate')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Impersonate this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Impersonate this group; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Impersonate this UID')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Impersonate with this extra information; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 never')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'cache-dir')
            [CompletionResult]::new('--match-server-version', '--match-server-version', [CompletionResultType]::ParameterName, 'match-server-version')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'profile')
            [CompletionResult]::new('--profile-output', '--profile-output', [CompletionResultType]::ParameterName, 'profile-output')
            [CompletionResult]::new('--log-flush-frequency', '--log-flush-frequency', [CompletionResultType]::ParameterName, 'log-flush-frequency')
            [CompletionResult]::new('--vmodule', '--vmodule', [CompletionResultType]::ParameterName, 'vmodule')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'warnings-as-errors')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Tell the verdict by the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined')
            [CompletionResult]::new('--list-codes', '--list-codes', [CompletionResultType]::ParameterName, 'List every reason code with its meaning')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;dry-run' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Read this file or directory instead of a cluster (- for standard input); may be repeated')
            [CompletionResult]::new('--controller-log', '--controller-log', [CompletionResultType]::ParameterName, 'Read a log of the controller-manager too; may be repeated. Without -f it is read alone, or beside the cluster if a flag is about that (--window 5s)')
            [CompletionResult]::new('--controller-log-utc-offset', '--controller-log-utc-offset', [CompletionResultType]::ParameterName, 'The zone of the times in a log''s text, such as +02:00 [default: UTC]')
            [CompletionResult]::new('--at', '--at', [CompletionResultType]::ParameterName, 'Answer for this instant of a recording (RFC 3339); may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Take this time as the present (RFC 3339)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'The control plane''s version: 1.N, 1.N.P or v1.N.P')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Only this namespace')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a')
            [CompletionResult]::new('--field-selector', '--field-selector', [CompletionResultType]::ParameterName, 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop')
            [CompletionResult]::new('--window', '--window', [CompletionResultType]::ParameterName, 'Watch the cluster for so long before answering [default: 5s; list: 0]')
            [CompletionResult]::new('--until', '--until', [CompletionResultType]::ParameterName, 'Watch until every verdict is this one: settled, act, skip, blocked, undetermined')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'Give up --watch or --until after so long')
            [CompletionResult]::new('--chunk-size', '--chunk-size', [CompletionResultType]::ParameterName, 'Objects a page of a list; 0 asks for all at once')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Use this context of the kubeconfig')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Use this cluster of the kubeconfig')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Use this user of the kubeconfig')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Trust these certificate authorities')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: anybody may be answering')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Check the server''s certificate for this name')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask for compressed answers')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Log in with this bearer token')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'Log in with this name (basic authentication)')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Log in with this password (basic authentication)')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Log in with this certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The key of the certificate')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Impersonate this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Impersonate this group; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Impersonate this UID')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Impersonate with this extra information; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 never')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'cache-dir')
            [CompletionResult]::new('--match-server-version', '--match-server-version', [CompletionResultType]::ParameterName, 'match-server-version')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'profile')
            [CompletionResult]::new('--profile-output', '--profile-output', [CompletionResultType]::ParameterName, 'profile-output')
            [CompletionResult]::new('--log-flush-frequency', '--log-flush-frequency', [CompletionResultType]::ParameterName, 'log-flush-frequency')
            [CompletionResult]::new('--vmodule', '--vmodule', [CompletionResultType]::ParameterName, 'vmodule')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'warnings-as-errors')
            [CompletionResult]::new('--replicas', '--replicas', [CompletionResultType]::ParameterName, 'Suppose that spec.replicas were N')
            [CompletionResult]::new('--fail-creates', '--fail-creates', [CompletionResultType]::ParameterName, 'Suppose that creates fail for a reason code, or only the K-th one')
            [CompletionResult]::new('--quota-left', '--quota-left', [CompletionResultType]::ParameterName, 'Suppose that the quota admits N more pods')
            [CompletionResult]::new('--assume-expectations', '--assume-expectations', [CompletionResultType]::ParameterName, 'Suppose that the expectations are satisfied, or unmet')
            [CompletionResult]::new('--syncs', '--syncs', [CompletionResultType]::ParameterName, 'Simulate at most N syncs')
            [CompletionResult]::new('--controller-qps', '--controller-qps', [CompletionResultType]::ParameterName, 'Requests a second of the controller''s client')
            [CompletionResult]::new('--controller-burst', '--controller-burst', [CompletionResultType]::ParameterName, 'Requests that the controller''s client may make at once')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-R', '-R ', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read the directories of -f with everything below them')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Every namespace')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Go on watching and show what changes')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Tell the verdict by the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;demo' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;auth' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Try this namespace')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Try this namespace')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Use this context of the kubeconfig')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Use this cluster of the kubeconfig')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'Use this user of the kubeconfig')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'Trust these certificate authorities')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Do not check the server''s certificate: anybody may be answering')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Check the server''s certificate for this name')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Do not ask for compressed answers')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Log in with this bearer token')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'Log in with this name (basic authentication)')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Log in with this password (basic authentication)')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'Log in with this certificate')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'The key of the certificate')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Impersonate this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Impersonate this group; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Impersonate this UID')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Impersonate with this extra information; may be repeated')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 never')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'From 6 on, say every request on standard error')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'cache-dir')
            [CompletionResult]::new('--match-server-version', '--match-server-version', [CompletionResultType]::ParameterName, 'match-server-version')
            [CompletionResult]::new('--profile', '--profile', [CompletionResultType]::ParameterName, 'profile')
            [CompletionResult]::new('--profile-output', '--profile-output', [CompletionResultType]::ParameterName, 'profile-output')
            [CompletionResult]::new('--log-flush-frequency', '--log-flush-frequency', [CompletionResultType]::ParameterName, 'log-flush-frequency')
            [CompletionResult]::new('--vmodule', '--vmodule', [CompletionResultType]::ParameterName, 'vmodule')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'warnings-as-errors')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Try every namespace')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Try every namespace')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;completion' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour the output')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-rsexp;help' {
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List ReplicaSets with the verdict about their next sync')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain why a ReplicaSet is (not) acted on, or what a reason code means')
            [CompletionResult]::new('dry-run', 'dry-run', [CompletionResultType]::ParameterValue, 'Simulate the next syncs, as things are or as they might be')
            [CompletionResult]::new('demo', 'demo', [CompletionResultType]::ParameterValue, 'Show recorded demonstrations, without a cluster')
            [CompletionResult]::new('auth', 'auth', [CompletionResultType]::ParameterValue, 'Show what this user may read of the cluster, and what is lost without the rest')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the version, and the Kubernetes versions that are known')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-rsexp;help;list' {
            break
        }
        'kubectl-rsexp;help;explain' {
            break
        }
        'kubectl-rsexp;help;dry-run' {
            break
        }
        'kubectl-rsexp;help;demo' {
            break
        }
        'kubectl-rsexp;help;auth' {
            break
        }
        'kubectl-rsexp;help;completion' {
            break
        }
        'kubectl-rsexp;help;version' {
            break
        }
        'kubectl-rsexp;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
