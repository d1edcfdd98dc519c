// The control plane of the tests as one program: etcd, kube-apiserver, kube-controller-manager and kubectl, each
// the unmodified code of its published Go module. It acts as the one whose name it is called by (argv[0], through
// a link) or, under any other name, as the one named by its first argument.
//
// One program instead of four because they share nearly all of their packages: it links once and is a third of the size.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	_ "time/tzdata" // as in the released programs: no dependence on the machine's zone files

	"go.etcd.io/etcd/server/v3/etcdmain"
	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	logsapi "k8s.io/component-base/logs/api/v1"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

var programs = map[string]func(){
	"etcd":                    func() { etcdmain.Main(os.Args) },
	"kube-apiserver":          func() { os.Exit(cli.Run(apiserver.NewAPIServerCommand())) },
	"kube-controller-manager": runControllerManager,
	"kubectl":                 runKubectl,
	"load":                    runLoad,
}

func main() {
	name := filepath.Base(os.Args[0])
	if programs[name] == nil && len(os.Args) > 1 {
		// The programs read os.Args themselves, so the name has to become their argument 0.
		name = os.Args[1]
		os.Args = os.Args[1:]
	}
	program := programs[name]
	if program == nil {
		fmt.Fprintln(os.Stderr, "usage: control-plane etcd|kube-apiserver|kube-controller-manager|kubectl|load [argument...]")
		os.Exit(2)
	}
	program()
}

func runControllerManager() {
	// Before the command is made: making it lists the formats in its help and closes the registry.
	if err := logsapi.RegisterLogFormat(truthFormat, truthFactory{}, logsapi.LoggingBetaOptions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
}

func runKubectl() {
	// Like the released kubectl: building the command logs already, so the verbosity is read ahead of it.
	_, _ = logs.GlogSetter(kubectl.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
}
