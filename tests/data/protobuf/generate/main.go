// Writes lists of every kind that the program reads, once in JSON and once in protobuf, with the
// API's own code: go run . ..
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	apps "k8s.io/api/apps/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

func ptr[T any](value T) *T { return &value }

var (
	noon  = meta.NewTime(time.Date(2026, 1, 1, 12, 0, 0, 987654321, time.UTC))
	micro = meta.NewMicroTime(time.Date(2026, 1, 1, 12, 0, 0, 123456789, time.UTC))
)

func named(name string) meta.ObjectMeta {
	return meta.ObjectMeta{
		Name: name, Namespace: "shop", UID: "8d1e-" + "ü", ResourceVersion: "123", Generation: 4,
		CreationTimestamp: noon,
		Labels:            map[string]string{"app": "web", "empty": "", "tier": "front"},
		Annotations: map[string]string{
			"controller.kubernetes.io/pod-deletion-cost": "-7", "other": strings.Repeat("x", 300),
			"deployment.kubernetes.io/desired-replicas": "3",
		},
		ManagedFields: []meta.ManagedFieldsEntry{
			{Manager: "kube-controller-manager", Operation: "Update", APIVersion: "v1", Time: &noon,
				FieldsType: "FieldsV1", FieldsV1: &meta.FieldsV1{Raw: []byte(`{"f:metadata":{"f:labels":{}}}`)}},
			{Manager: "kubelet", Operation: "Update", Subresource: "status"},
		},
	}
}

func owned(name string) meta.ObjectMeta {
	m := named(name)
	m.GenerateName = "web-"
	m.DeletionTimestamp, m.DeletionGracePeriodSeconds = &noon, ptr(int64(0))
	m.Finalizers = []string{"foregroundDeletion", "x.example/y"}
	m.OwnerReferences = []meta.OwnerReference{
		{APIVersion: "v1", Kind: "Node", Name: "n", UID: "1"},
		{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "2", Controller: ptr(true),
			BlockOwnerDeletion: ptr(true)},
	}
	return m
}

func podSpec() core.PodSpec {
	return core.PodSpec{
		NodeName: "node-1", ServiceAccountName: "bot", DeprecatedServiceAccount: "bot",
		TerminationGracePeriodSeconds: ptr(int64(30)),
		Containers: []core.Container{
			{Name: "app", Image: "img:1", Env: []core.EnvVar{{Name: "SECRET", Value: "s"}},
				Resources: core.ResourceRequirements{Limits: core.ResourceList{
					"memory": resource.MustParse("8Gi"), "cpu": resource.MustParse("250m")}}},
			{Name: "side", Image: "img:2"},
		},
		InitContainers: []core.Container{
			{Name: "proxy", Image: "p", RestartPolicy: ptr(core.ContainerRestartPolicyAlways)},
			{Name: "init", Image: "i"},
		},
		TopologySpreadConstraints: []core.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "zone"}},
	}
}

func podStatus(phase core.PodPhase) core.PodStatus {
	return core.PodStatus{
		Phase: phase, Reason: "Evicted", Message: "long", PodIP: "10.0.0.1", StartTime: &noon,
		Conditions: []core.PodCondition{
			{Type: "PodScheduled", Status: "True"},
			{Type: "Ready", Status: "True", LastTransitionTime: noon, Reason: "r", Message: "m"},
		},
		ContainerStatuses: []core.ContainerStatus{{Name: "app", RestartCount: 3, Ready: true}, {Name: "side", RestartCount: 5}},
		InitContainerStatuses: []core.ContainerStatus{
			{Name: "proxy", RestartCount: 2}, {Name: "init", RestartCount: 9}},
	}
}

func template() core.PodTemplateSpec {
	return core.PodTemplateSpec{ObjectMeta: meta.ObjectMeta{Labels: map[string]string{"app": "web"}}, Spec: podSpec()}
}

func at(version string) meta.ListMeta {
	return meta.ListMeta{ResourceVersion: version, Continue: "token/+=", RemainingItemCount: ptr(int64(7))}
}

func lists() map[string]runtime.Object {
	selector := &meta.LabelSelector{
		MatchLabels: map[string]string{"app": "web", "a": "b"},
		MatchExpressions: []meta.LabelSelectorRequirement{
			{Key: "tier", Operator: "In", Values: []string{"front", "back"}},
			{Key: "z", Operator: "DoesNotExist"},
		},
	}
	deleting := named("terminating")
	deleting.DeletionTimestamp = &noon
	return map[string]runtime.Object{
		"pods": &core.PodList{TypeMeta: meta.TypeMeta{Kind: "PodList", APIVersion: "v1"}, ListMeta: at("1"), Items: []core.Pod{
			{ObjectMeta: owned("owned"), Spec: podSpec(), Status: podStatus("Running")},
			{ObjectMeta: named("orphan"), Spec: podSpec(), Status: podStatus("Failed")},
			{ObjectMeta: meta.ObjectMeta{Name: "bare"}},
			{ObjectMeta: named("odd"), Status: core.PodStatus{Phase: "Odd", Conditions: []core.PodCondition{{Type: "Ready", Status: "False"}}}},
		}},
		"replicasets.apps": &apps.ReplicaSetList{TypeMeta: meta.TypeMeta{Kind: "ReplicaSetList", APIVersion: "apps/v1"}, ListMeta: at("2"), Items: []apps.ReplicaSet{
			{ObjectMeta: owned("web"), Spec: apps.ReplicaSetSpec{Replicas: ptr(int32(10)), MinReadySeconds: 5, Selector: selector, Template: template()},
				Status: apps.ReplicaSetStatus{Replicas: 7, FullyLabeledReplicas: 6, ReadyReplicas: 5, AvailableReplicas: 4, TerminatingReplicas: ptr(int32(0)), ObservedGeneration: 3,
					Conditions: []apps.ReplicaSetCondition{{Type: "ReplicaFailure", Status: "True", LastTransitionTime: noon, Reason: "FailedCreate", Message: "quota"}}}},
			{ObjectMeta: named("zero"), Spec: apps.ReplicaSetSpec{Replicas: ptr(int32(0)), Selector: &meta.LabelSelector{}}},
			{ObjectMeta: named("default"), Spec: apps.ReplicaSetSpec{Selector: &meta.LabelSelector{MatchExpressions: []meta.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}}},
			{ObjectMeta: named("negative"), Spec: apps.ReplicaSetSpec{Replicas: ptr(int32(-1)), Selector: selector}},
			{ObjectMeta: named("unselective")},
		}},
		"replicationcontrollers": &core.ReplicationControllerList{TypeMeta: meta.TypeMeta{Kind: "ReplicationControllerList", APIVersion: "v1"}, ListMeta: at("3"), Items: []core.ReplicationController{
			{ObjectMeta: owned("old"), Spec: core.ReplicationControllerSpec{Replicas: ptr(int32(2)), MinReadySeconds: 1, Selector: map[string]string{"b": "2", "a": "1"}, Template: ptr(template())},
				Status: core.ReplicationControllerStatus{Replicas: 1, FullyLabeledReplicas: 2, ReadyReplicas: 3, AvailableReplicas: 4, ObservedGeneration: 5,
					Conditions: []core.ReplicationControllerCondition{{Type: "ReplicaFailure", Status: "False", LastTransitionTime: noon, Reason: "r", Message: "m"}}}},
			{ObjectMeta: named("bare"), Spec: core.ReplicationControllerSpec{Template: ptr(template())}},
		}},
		"events": &core.EventList{TypeMeta: meta.TypeMeta{Kind: "EventList", APIVersion: "v1"}, ListMeta: at("4"), Items: []core.Event{
			{ObjectMeta: named("old"), InvolvedObject: core.ObjectReference{Kind: "ReplicaSet", Namespace: "shop", Name: "web", UID: "u", APIVersion: "apps/v1"},
				Reason: "FailedCreate", Message: "no", Source: core.EventSource{Component: "replicaset-controller"}, FirstTimestamp: noon, LastTimestamp: noon, Count: 4, Type: "Warning"},
			{ObjectMeta: named("new"), EventTime: micro, Series: &core.EventSeries{Count: 9, LastObservedTime: micro}, ReportingController: "x", ReportingInstance: "y"},
			{ObjectMeta: named("bare")},
		}},
		"deployments.apps": &apps.DeploymentList{TypeMeta: meta.TypeMeta{Kind: "DeploymentList", APIVersion: "apps/v1"}, ListMeta: at("5"), Items: []apps.Deployment{
			{ObjectMeta: named("web"), Spec: apps.DeploymentSpec{Replicas: ptr(int32(3)), Selector: selector, Template: template()}, Status: apps.DeploymentStatus{ObservedGeneration: 8, Replicas: 1}},
		}},
		"namespaces": &core.NamespaceList{TypeMeta: meta.TypeMeta{Kind: "NamespaceList", APIVersion: "v1"}, ListMeta: at("6"), Items: []core.Namespace{
			{ObjectMeta: named("shop"), Status: core.NamespaceStatus{Phase: "Active"}},
			{ObjectMeta: deleting},
			{ObjectMeta: named("going"), Status: core.NamespaceStatus{Phase: "Terminating"}},
		}},
		"resourcequotas": &core.ResourceQuotaList{TypeMeta: meta.TypeMeta{Kind: "ResourceQuotaList", APIVersion: "v1"}, ListMeta: at("7"), Items: []core.ResourceQuota{
			{ObjectMeta: named("used"), Spec: core.ResourceQuotaSpec{Hard: core.ResourceList{"pods": resource.MustParse("5")}},
				Status: core.ResourceQuotaStatus{Hard: core.ResourceList{"pods": resource.MustParse("6"), "limits.memory": resource.MustParse("1Gi")}, Used: core.ResourceList{"pods": resource.MustParse("2")}}},
			{ObjectMeta: named("scoped"), Spec: core.ResourceQuotaSpec{Hard: core.ResourceList{"pods": resource.MustParse("5")}, Scopes: []core.ResourceQuotaScope{"BestEffort"}}},
			{ObjectMeta: named("selected"), Spec: core.ResourceQuotaSpec{ScopeSelector: &core.ScopeSelector{}}},
		}},
		"leases.coordination.k8s.io": &coordination.LeaseList{TypeMeta: meta.TypeMeta{Kind: "LeaseList", APIVersion: "coordination.k8s.io/v1"}, ListMeta: at("8"), Items: []coordination.Lease{
			{ObjectMeta: named("kube-controller-manager"), Spec: coordination.LeaseSpec{HolderIdentity: ptr("h_1"), LeaseDurationSeconds: ptr(int32(15)), AcquireTime: &micro, RenewTime: &micro, LeaseTransitions: ptr(int32(3))}},
			{ObjectMeta: named("free")},
		}},
		"limitranges": &core.LimitRangeList{TypeMeta: meta.TypeMeta{Kind: "LimitRangeList", APIVersion: "v1"}, ListMeta: at("9"), Items: []core.LimitRange{
			{ObjectMeta: named("mem"), Spec: core.LimitRangeSpec{Limits: []core.LimitRangeItem{
				{Type: "Container", Max: core.ResourceList{"memory": resource.MustParse("4Gi")}, Min: core.ResourceList{"memory": resource.MustParse("1")}},
				{Type: "Pod", Max: core.ResourceList{"cpu": resource.MustParse("4")}}}}},
		}},
		"serviceaccounts": &core.ServiceAccountList{TypeMeta: meta.TypeMeta{Kind: "ServiceAccountList", APIVersion: "v1"}, ListMeta: at("10"), Items: []core.ServiceAccount{{ObjectMeta: named("bot")}}},
		"services": &core.ServiceList{TypeMeta: meta.TypeMeta{Kind: "ServiceList", APIVersion: "v1"}, ListMeta: at("11"), Items: []core.Service{
			{ObjectMeta: named("hook"), Spec: core.ServiceSpec{ClusterIP: "10.0.0.1", Selector: map[string]string{"app": "hook"}}}}},
		"nodes": &core.NodeList{TypeMeta: meta.TypeMeta{Kind: "NodeList", APIVersion: "v1"}, ListMeta: meta.ListMeta{}, Items: []core.Node{
			{ObjectMeta: named("node-1"), Status: core.NodeStatus{Conditions: []core.NodeCondition{{Type: "MemoryPressure", Status: "False"}, {Type: "Ready", Status: "True", LastTransitionTime: noon, LastHeartbeatTime: noon}}}}}},
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	scheme := runtime.NewScheme()
	check(core.AddToScheme(scheme))
	check(apps.AddToScheme(scheme))
	check(coordination.AddToScheme(scheme))
	serializer := protobuf.NewSerializer(scheme, scheme)
	for name, list := range lists() {
		text, err := json.MarshalIndent(list, "", " ")
		check(err)
		var body bytes.Buffer
		check(serializer.Encode(list, &body))
		base := filepath.Join(os.Args[1], name)
		check(os.WriteFile(base+".json", append(text, '\n'), 0o644))
		check(os.WriteFile(base+".pb", body.Bytes(), 0o644))
	}
}
