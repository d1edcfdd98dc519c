# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_kubectl_rsexp_global_optspecs
    string join \n color= h/help V/version
end

function __fish_kubectl_rsexp_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_kubectl_rsexp_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_kubectl_rsexp_using_subcommand
    set -l cmd (__fish_kubectl_rsexp_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -s V -l version -d 'Print version'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "list" -d 'List ReplicaSets with the verdict about their next sync'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "get" -d 'List ReplicaSets with the verdict about their next sync'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "explain" -d 'Explain why the controller acts or does not act, or what a reason code means'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "dry-run" -d 'Simulate the next syncs, as things are or under assumptions'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "record" -d 'Record what a cluster shows, for later use with -f'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "timeline" -d 'Show what changed or proved something, line by line'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "demo" -d 'Show recorded demonstrations, without a cluster'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "auth" -d 'Show what this user may read, and what is lost without the rest'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "completion" -d 'Print a completion script for a shell'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "schema" -d 'Print the JSON Schema of all -o json output'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "version" -d 'Print the version and the supported Kubernetes versions'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s f -l filename -d 'Read this file or directory instead of a cluster (- for standard input); may be repeated' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l controller-log -d 'Also read a log of the controller-manager; may be repeated. Without -f it is read alone, or with the cluster if a flag requires one (--window 5s)' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l controller-log-utc-offset -d 'The time zone of the log\'s text format, such as +02:00 [default: UTC]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l at -d 'Answer for this instant of a recording (RFC 3339); may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l now -d 'Use this time as the current time (RFC 3339)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l server-version -d 'The control plane\'s version: 1.N, 1.N.P or v1.N.P' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s n -l namespace -d 'Only this namespace' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s l -l selector -d 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l field-selector -d 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l window -d 'Watch the cluster for this long before answering [default: 5s; list: 0]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l until -d 'Watch until every verdict is this one' -r -f -a "settled\t''
act\t''
skip\t''
blocked\t''
undetermined\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l timeout -d 'Give up --watch or --until after this time' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l chunk-size -d 'Objects per page of a list; 0 requests all at once' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s o -l output -d 'Output format: text, wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-file=FILE, jsonpath-as-json=TEMPLATE, custom-columns=HEADER:.PATH,... or custom-columns-file=FILE' -r -f -a "text\t''
wide\t''
json\t''
yaml\t''
name\t''
jsonpath\t''
jsonpath-file\t''
jsonpath-as-json\t''
custom-columns\t''
custom-columns-file\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l expect -d 'Exit with 15 if an answer differs: KEY=VALUE or KEY!=VALUE, separated by commas, with verdict, action, gate, reason, create, delete, adopt, release, add, del, desired, active or diff' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l kubeconfig -d 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l context -d 'Use this context of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l cluster -d 'Use this cluster of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l user -d 'Use this user of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s s -l server -d 'The API server' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l certificate-authority -d 'Trust these certificate authorities' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l insecure-skip-tls-verify -d 'Do not verify the server\'s certificate; this makes the connection insecure' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l tls-server-name -d 'Verify the server\'s certificate for this name' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l disable-compression -d 'Do not request compressed responses' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l token -d 'Log in with this bearer token' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l username -d 'Log in with this name (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l password -d 'Log in with this password (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l client-certificate -d 'Log in with this certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l client-key -d 'The key of the certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l as -d 'Impersonate this user' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l as-group -d 'Impersonate this group; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l as-uid -d 'Impersonate this UID' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l as-user-extra -d 'Impersonate with this extra information; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l request-timeout -d 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s v -l v -d 'Show what an error comes from; from 6 on every request too' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l cache-dir -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l match-server-version -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l profile -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l profile-output -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l log-flush-frequency -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l vmodule -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l warnings-as-errors -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s L -l label-columns -d 'Show these labels in separate columns; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l sort-by -d 'Sort by this field of the JSON, such as .diff or {.plan.count}, or by .metadata.name, .metadata.creationTimestamp, .spec.replicas, .status.replicas and .status.readyReplicas' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s R -l recursive -d 'Read the directories of -f recursively'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s A -l all-namespaces -d 'Every namespace'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s w -l watch -d 'Keep watching and show what changes'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l exit-code -d 'Return the verdict as the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l pods -d 'Show the pods beneath their ReplicaSet'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l all -d 'With -A, show settled ReplicaSets too, each in its own row'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l show-labels -d 'Show all labels in the last column'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -l no-headers -d 'Omit the column headers'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand list" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s f -l filename -d 'Read this file or directory instead of a cluster (- for standard input); may be repeated' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l controller-log -d 'Also read a log of the controller-manager; may be repeated. Without -f it is read alone, or with the cluster if a flag requires one (--window 5s)' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l controller-log-utc-offset -d 'The time zone of the log\'s text format, such as +02:00 [default: UTC]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l at -d 'Answer for this instant of a recording (RFC 3339); may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l now -d 'Use this time as the current time (RFC 3339)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l server-version -d 'The control plane\'s version: 1.N, 1.N.P or v1.N.P' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s n -l namespace -d 'Only this namespace' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s l -l selector -d 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l field-selector -d 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l window -d 'Watch the cluster for this long before answering [default: 5s; list: 0]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l until -d 'Watch until every verdict is this one' -r -f -a "settled\t''
act\t''
skip\t''
blocked\t''
undetermined\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l timeout -d 'Give up --watch or --until after this time' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l chunk-size -d 'Objects per page of a list; 0 requests all at once' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s o -l output -d 'Output format: text, wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-file=FILE, jsonpath-as-json=TEMPLATE, custom-columns=HEADER:.PATH,... or custom-columns-file=FILE' -r -f -a "text\t''
wide\t''
json\t''
yaml\t''
name\t''
jsonpath\t''
jsonpath-file\t''
jsonpath-as-json\t''
custom-columns\t''
custom-columns-file\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l expect -d 'Exit with 15 if an answer differs: KEY=VALUE or KEY!=VALUE, separated by commas, with verdict, action, gate, reason, create, delete, adopt, release, add, del, desired, active or diff' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l kubeconfig -d 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l context -d 'Use this context of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l cluster -d 'Use this cluster of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l user -d 'Use this user of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s s -l server -d 'The API server' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l certificate-authority -d 'Trust these certificate authorities' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l insecure-skip-tls-verify -d 'Do not verify the server\'s certificate; this makes the connection insecure' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l tls-server-name -d 'Verify the server\'s certificate for this name' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l disable-compression -d 'Do not request compressed responses' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l token -d 'Log in with this bearer token' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l username -d 'Log in with this name (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l password -d 'Log in with this password (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l client-certificate -d 'Log in with this certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l client-key -d 'The key of the certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l as -d 'Impersonate this user' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l as-group -d 'Impersonate this group; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l as-uid -d 'Impersonate this UID' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l as-user-extra -d 'Impersonate with this extra information; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l request-timeout -d 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s v -l v -d 'Show what an error comes from; from 6 on every request too' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l cache-dir -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l match-server-version -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l profile -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l profile-output -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l log-flush-frequency -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l vmodule -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l warnings-as-errors -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s L -l label-columns -d 'Show these labels in separate columns; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l sort-by -d 'Sort by this field of the JSON, such as .diff or {.plan.count}, or by .metadata.name, .metadata.creationTimestamp, .spec.replicas, .status.replicas and .status.readyReplicas' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s R -l recursive -d 'Read the directories of -f recursively'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s A -l all-namespaces -d 'Every namespace'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s w -l watch -d 'Keep watching and show what changes'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l exit-code -d 'Return the verdict as the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l pods -d 'Show the pods beneath their ReplicaSet'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l all -d 'With -A, show settled ReplicaSets too, each in its own row'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l show-labels -d 'Show all labels in the last column'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -l no-headers -d 'Omit the column headers'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand get" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s f -l filename -d 'Read this file or directory instead of a cluster (- for standard input); may be repeated' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l controller-log -d 'Also read a log of the controller-manager; may be repeated. Without -f it is read alone, or with the cluster if a flag requires one (--window 5s)' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l controller-log-utc-offset -d 'The time zone of the log\'s text format, such as +02:00 [default: UTC]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l at -d 'Answer for this instant of a recording (RFC 3339); may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l now -d 'Use this time as the current time (RFC 3339)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l server-version -d 'The control plane\'s version: 1.N, 1.N.P or v1.N.P' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s n -l namespace -d 'Only this namespace' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s l -l selector -d 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l field-selector -d 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l window -d 'Watch the cluster for this long before answering [default: 5s; list: 0]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l until -d 'Watch until every verdict is this one' -r -f -a "settled\t''
act\t''
skip\t''
blocked\t''
undetermined\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l timeout -d 'Give up --watch or --until after this time' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l chunk-size -d 'Objects per page of a list; 0 requests all at once' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s o -l output -d 'Output format: text, wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-file=FILE, jsonpath-as-json=TEMPLATE, custom-columns=HEADER:.PATH,... or custom-columns-file=FILE' -r -f -a "text\t''
wide\t''
json\t''
yaml\t''
name\t''
jsonpath\t''
jsonpath-file\t''
jsonpath-as-json\t''
custom-columns\t''
custom-columns-file\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l expect -d 'Exit with 15 if an answer differs: KEY=VALUE or KEY!=VALUE, separated by commas, with verdict, action, gate, reason, create, delete, adopt, release, add, del, desired, active or diff' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l kubeconfig -d 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l context -d 'Use this context of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l cluster -d 'Use this cluster of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l user -d 'Use this user of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s s -l server -d 'The API server' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l certificate-authority -d 'Trust these certificate authorities' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l insecure-skip-tls-verify -d 'Do not verify the server\'s certificate; this makes the connection insecure' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l tls-server-name -d 'Verify the server\'s certificate for this name' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l disable-compression -d 'Do not request compressed responses' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l token -d 'Log in with this bearer token' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l username -d 'Log in with this name (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l password -d 'Log in with this password (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l client-certificate -d 'Log in with this certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l client-key -d 'The key of the certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l as -d 'Impersonate this user' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l as-group -d 'Impersonate this group; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l as-uid -d 'Impersonate this UID' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l as-user-extra -d 'Impersonate with this extra information; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l request-timeout -d 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s v -l v -d 'Show what an error comes from; from 6 on every request too' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l cache-dir -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l match-server-version -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l profile -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l profile-output -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l log-flush-frequency -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l vmodule -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l warnings-as-errors -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l sort-by -d 'Sort by this field of the JSON, such as .diff or {.plan.count}, or by .metadata.name, .metadata.creationTimestamp, .spec.replicas, .status.replicas and .status.readyReplicas' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s R -l recursive -d 'Read the directories of -f recursively'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s A -l all-namespaces -d 'Every namespace'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s w -l watch -d 'Keep watching and show what changes'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l exit-code -d 'Return the verdict as the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l list-codes -d 'List every reason code with its meaning'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -l no-headers -d 'Omit the column headers'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand explain" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s f -l filename -d 'Read this file or directory instead of a cluster (- for standard input); may be repeated' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l controller-log -d 'Also read a log of the controller-manager; may be repeated. Without -f it is read alone, or with the cluster if a flag requires one (--window 5s)' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l controller-log-utc-offset -d 'The time zone of the log\'s text format, such as +02:00 [default: UTC]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l at -d 'Answer for this instant of a recording (RFC 3339); may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l now -d 'Use this time as the current time (RFC 3339)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l server-version -d 'The control plane\'s version: 1.N, 1.N.P or v1.N.P' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s n -l namespace -d 'Only this namespace' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s l -l selector -d 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l field-selector -d 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l window -d 'Watch the cluster for this long before answering [default: 5s; list: 0]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l until -d 'Watch until every verdict is this one' -r -f -a "settled\t''
act\t''
skip\t''
blocked\t''
undetermined\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l timeout -d 'Give up --watch or --until after this time' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l chunk-size -d 'Objects per page of a list; 0 requests all at once' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s o -l output -d 'Output format: text, wide, json, yaml, name, jsonpath=TEMPLATE, jsonpath-file=FILE, jsonpath-as-json=TEMPLATE, custom-columns=HEADER:.PATH,... or custom-columns-file=FILE' -r -f -a "text\t''
wide\t''
json\t''
yaml\t''
name\t''
jsonpath\t''
jsonpath-file\t''
jsonpath-as-json\t''
custom-columns\t''
custom-columns-file\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l expect -d 'Exit with 15 if an answer differs: KEY=VALUE or KEY!=VALUE, separated by commas, with verdict, action, gate, reason, create, delete, adopt, release, add, del, desired, active or diff' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l kubeconfig -d 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l context -d 'Use this context of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l cluster -d 'Use this cluster of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l user -d 'Use this user of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s s -l server -d 'The API server' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l certificate-authority -d 'Trust these certificate authorities' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l insecure-skip-tls-verify -d 'Do not verify the server\'s certificate; this makes the connection insecure' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l tls-server-name -d 'Verify the server\'s certificate for this name' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l disable-compression -d 'Do not request compressed responses' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l token -d 'Log in with this bearer token' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l username -d 'Log in with this name (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l password -d 'Log in with this password (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l client-certificate -d 'Log in with this certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l client-key -d 'The key of the certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l as -d 'Impersonate this user' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l as-group -d 'Impersonate this group; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l as-uid -d 'Impersonate this UID' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l as-user-extra -d 'Impersonate with this extra information; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l request-timeout -d 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s v -l v -d 'Show what an error comes from; from 6 on every request too' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l cache-dir -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l match-server-version -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l profile -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l profile-output -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l log-flush-frequency -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l vmodule -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l warnings-as-errors -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l replicas -d 'Assume that spec.replicas is N' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l fail-creates -d 'Assume that creates fail with this reason code, or only the K-th create' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l quota-left -d 'Assume that the quota admits N more pods' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l assume-expectations -d 'Assume that the expectations are satisfied, or unmet' -r -f -a "satisfied\t''
unmet\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l syncs -d 'Simulate at most N syncs' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l controller-qps -d 'Requests per second of the controller\'s client' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l controller-burst -d 'Burst of the controller\'s client' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l sort-by -d 'Sort by this field of the JSON, such as .diff or {.plan.count}, or by .metadata.name, .metadata.creationTimestamp, .spec.replicas, .status.replicas and .status.readyReplicas' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s R -l recursive -d 'Read the directories of -f recursively'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s A -l all-namespaces -d 'Every namespace'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s w -l watch -d 'Keep watching and show what changes'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l exit-code -d 'Return the verdict as the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -l no-headers -d 'Omit the column headers'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand dry-run" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l to -d 'Write to this file (- for standard output); compressed if it ends in .gz. Until the recording is complete it is named FILE.partial' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l window -d 'Record for this long, 0 for the current state only [default: until Ctrl-C]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -s n -l namespace -d 'Only this namespace' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -s l -l selector -d 'What to record, by labels; the whole namespace is recorded nevertheless' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l chunk-size -d 'Objects per page of a list; 0 requests all at once' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l kubeconfig -d 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l context -d 'Use this context of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l cluster -d 'Use this cluster of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l user -d 'Use this user of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -s s -l server -d 'The API server' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l certificate-authority -d 'Trust these certificate authorities' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l insecure-skip-tls-verify -d 'Do not verify the server\'s certificate; this makes the connection insecure' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l tls-server-name -d 'Verify the server\'s certificate for this name' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l disable-compression -d 'Do not request compressed responses' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l token -d 'Log in with this bearer token' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l username -d 'Log in with this name (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l password -d 'Log in with this password (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l client-certificate -d 'Log in with this certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l client-key -d 'The key of the certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l as -d 'Impersonate this user' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l as-group -d 'Impersonate this group; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l as-uid -d 'Impersonate this UID' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l as-user-extra -d 'Impersonate with this extra information; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l request-timeout -d 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -s v -l v -d 'Show what an error comes from; from 6 on every request too' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l cache-dir -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l match-server-version -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l profile -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l profile-output -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l log-flush-frequency -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l vmodule -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l warnings-as-errors -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -l redact -d 'Replace names, labels and images consistently; the answers stay the same'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -s A -l all-namespaces -d 'Every namespace'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand record" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s f -l filename -d 'Read this file or directory instead of a cluster (- for standard input); may be repeated' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l controller-log -d 'Also read a log of the controller-manager; may be repeated. Without -f it is read alone, or with the cluster if a flag requires one (--window 5s)' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l controller-log-utc-offset -d 'The time zone of the log\'s text format, such as +02:00 [default: UTC]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l at -d 'Answer for this instant of a recording (RFC 3339); may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l now -d 'Use this time as the current time (RFC 3339)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l server-version -d 'The control plane\'s version: 1.N, 1.N.P or v1.N.P' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s n -l namespace -d 'Only this namespace' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s l -l selector -d 'Only objects with these labels: a=b, a!=b, a in (x,y), a notin (x), a, !a' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l field-selector -d 'Only objects with these fields: metadata.name=web, metadata.namespace!=shop' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l window -d 'Watch the cluster for this long before answering [default: 5s; list: 0]' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l until -d 'Watch until every verdict is this one' -r -f -a "settled\t''
act\t''
skip\t''
blocked\t''
undetermined\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l timeout -d 'Give up --watch or --until after this time' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l chunk-size -d 'Objects per page of a list; 0 requests all at once' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l expect -d 'Exit with 15 if an answer differs: KEY=VALUE or KEY!=VALUE, separated by commas, with verdict, action, gate, reason, create, delete, adopt, release, add, del, desired, active or diff' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l kubeconfig -d 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l context -d 'Use this context of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l cluster -d 'Use this cluster of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l user -d 'Use this user of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s s -l server -d 'The API server' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l certificate-authority -d 'Trust these certificate authorities' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l insecure-skip-tls-verify -d 'Do not verify the server\'s certificate; this makes the connection insecure' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l tls-server-name -d 'Verify the server\'s certificate for this name' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l disable-compression -d 'Do not request compressed responses' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l token -d 'Log in with this bearer token' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l username -d 'Log in with this name (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l password -d 'Log in with this password (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l client-certificate -d 'Log in with this certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l client-key -d 'The key of the certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l as -d 'Impersonate this user' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l as-group -d 'Impersonate this group; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l as-uid -d 'Impersonate this UID' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l as-user-extra -d 'Impersonate with this extra information; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l request-timeout -d 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s v -l v -d 'Show what an error comes from; from 6 on every request too' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l cache-dir -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l match-server-version -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l profile -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l profile-output -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l log-flush-frequency -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l vmodule -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l warnings-as-errors -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s o -l output -d 'Output format' -r -f -a "text\t''
wide\t''
json\t''
yaml\t''
svg\t''
html\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s R -l recursive -d 'Read the directories of -f recursively'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s A -l all-namespaces -d 'Every namespace'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s w -l watch -d 'Keep watching and show what changes'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l exit-code -d 'Return the verdict as the exit code: 0 settled, 10 act, 11 skip, 12 blocked, 13 undetermined'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -l full -d 'Show each line separately and in full, without merging equal ones (as -o wide)'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand timeline" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand demo" -s o -l output -d 'Output format, as for list' -r -f -a "text\t''
wide\t''
json\t''
yaml\t''
name\t''
jsonpath\t''
jsonpath-file\t''
jsonpath-as-json\t''
custom-columns\t''
custom-columns-file\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand demo" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand demo" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -s n -l namespace -d 'Check this namespace' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -s o -l output -d 'Output format' -r -f -a "text\t''
json\t''
yaml\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l kubeconfig -d 'Read this kubeconfig, instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l context -d 'Use this context of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l cluster -d 'Use this cluster of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l user -d 'Use this user of the kubeconfig' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -s s -l server -d 'The API server' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l certificate-authority -d 'Trust these certificate authorities' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l insecure-skip-tls-verify -d 'Do not verify the server\'s certificate; this makes the connection insecure' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l tls-server-name -d 'Verify the server\'s certificate for this name' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l disable-compression -d 'Do not request compressed responses' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l token -d 'Log in with this bearer token' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l username -d 'Log in with this name (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l password -d 'Log in with this password (basic authentication)' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l client-certificate -d 'Log in with this certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l client-key -d 'The key of the certificate' -r -F
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l as -d 'Impersonate this user' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l as-group -d 'Impersonate this group; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l as-uid -d 'Impersonate this UID' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l as-user-extra -d 'Impersonate with this extra information; may be repeated' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l request-timeout -d 'Give up a request after this time, such as 5 (seconds), 10s or 1m; 0 for no timeout' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -s v -l v -d 'Show what an error comes from; from 6 on every request too' -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l cache-dir -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l match-server-version -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l profile -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l profile-output -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l log-flush-frequency -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l vmodule -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l warnings-as-errors -r
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -s A -l all-namespaces -d 'Check every namespace'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand auth" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand completion" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand completion" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand schema" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand schema" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand version" -s o -l output -d 'Output format' -r -f -a "text\t''
json\t''
yaml\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand version" -l color -d 'When to colour the output' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand version" -s h -l help -d 'Print help'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "list" -d 'List ReplicaSets with the verdict about their next sync'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "explain" -d 'Explain why the controller acts or does not act, or what a reason code means'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "dry-run" -d 'Simulate the next syncs, as things are or under assumptions'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "record" -d 'Record what a cluster shows, for later use with -f'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "timeline" -d 'Show what changed or proved something, line by line'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "demo" -d 'Show recorded demonstrations, without a cluster'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "auth" -d 'Show what this user may read, and what is lost without the rest'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "completion" -d 'Print a completion script for a shell'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "schema" -d 'Print the JSON Schema of all -o json output'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "version" -d 'Print the version and the supported Kubernetes versions'
complete -c kubectl-rsexp -n "__fish_kubectl_rsexp_using_subcommand help; and not __fish_seen_subcommand_from list explain dry-run record timeline demo auth completion schema version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
