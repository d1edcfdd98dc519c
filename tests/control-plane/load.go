package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
)

// The loader fills a control plane with ReplicaSets and pods, by writing what the API server would have stored
// straight into its etcd: 20,000 pods in seconds instead of minutes, with the status, UIDs and managedFields that the
// API server would not take from a client. The API server reads them through its watch cache like all else.

// Objects that go into one transaction; etcd's limit is 128 operations and 1.5 MiB.
const batch = 32

var encoder = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)

func runLoad() {
	etcd := flag.String("etcd", "", "URL of etcd")
	replicaSets := flag.Int("replicasets", 2000, "ReplicaSets")
	pods := flag.Int("pods", 20000, "pods, spread evenly over the ReplicaSets")
	namespaces := flag.Int("namespaces", 10, "namespaces, load-0 and so on")
	size := flag.Int("bytes", 16000, "about the size of a pod in JSON")
	flag.Parse()
	if *etcd == "" || flag.NArg() > 0 || *replicaSets < 1 || *namespaces < 1 || *pods < 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := load(*etcd, *replicaSets, *pods, *namespaces, *size); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

type loader struct {
	created meta.Time
	// How many variables a container has, so that the pod is as large as wanted.
	variables int
}

func load(etcd string, replicaSets, pods, namespaces, size int) error {
	begun := time.Now()
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{etcd}, DialTimeout: 10 * time.Second})
	if err != nil {
		return err
	}
	defer client.Close()

	l := loader{created: meta.NewTime(begun.Add(-time.Hour).Truncate(time.Second))}
	small, err := json.Marshal(l.pod(l.replicaSet("load-0", 0, 1), 0))
	if err != nil {
		return err
	}
	l.variables = max(0, (size-len(small))/68)

	writers := make(chan []clientv3.Op)
	failed := make(chan error, 1)
	var working sync.WaitGroup
	for range 8 {
		working.Add(1)
		go func() {
			defer working.Done()
			for operations := range writers {
				if _, err := client.Txn(context.Background()).Then(operations...).Commit(); err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			}
		}()
	}
	var held []clientv3.Op
	var stored, inJSON int
	put := func(key string, object runtime.Object) error {
		var body bytes.Buffer
		if err := encoder.Encode(object, &body); err != nil {
			return err
		}
		stored += body.Len()
		held = append(held, clientv3.OpPut("/registry/"+key, body.String()))
		if len(held) == batch {
			writers <- held
			held = nil
		}
		return nil
	}

	for n := range namespaces {
		name := fmt.Sprintf("load-%d", n)
		namespace := &core.Namespace{
			TypeMeta:   meta.TypeMeta{APIVersion: "v1", Kind: "Namespace"},
			ObjectMeta: meta.ObjectMeta{Name: name, UID: uid("0", n, 0), CreationTimestamp: l.created},
			Spec:       core.NamespaceSpec{Finalizers: []core.FinalizerName{core.FinalizerKubernetes}},
			Status:     core.NamespaceStatus{Phase: core.NamespaceActive},
		}
		if err := put("namespaces/"+name, namespace); err != nil {
			return err
		}
	}
	for n := range replicaSets {
		namespace := fmt.Sprintf("load-%d", n%namespaces)
		own := pods*(n+1)/replicaSets - pods*n/replicaSets
		replicaSet := l.replicaSet(namespace, n, own)
		if err := put("replicasets/"+namespace+"/"+replicaSet.Name, replicaSet); err != nil {
			return err
		}
		for p := range own {
			pod := l.pod(replicaSet, p)
			if inJSON == 0 {
				text, err := json.Marshal(pod)
				if err != nil {
					return err
				}
				inJSON = len(text)
			}
			if err := put("pods/"+namespace+"/"+pod.Name, pod); err != nil {
				return err
			}
		}
	}
	if len(held) > 0 {
		writers <- held
	}
	close(writers)
	working.Wait()
	select {
	case err := <-failed:
		return err
	default:
	}
	fmt.Printf("%d ReplicaSets and %d pods of %d bytes in JSON, %d MB as stored, in %.1f s\n",
		replicaSets, pods, inJSON, stored/1_000_000, time.Since(begun).Seconds())
	return nil
}

func uid(kind string, n, p int) types.UID {
	return types.UID(fmt.Sprintf("%s0000000-0000-4000-8000-%06d%06d", kind, n, p))
}

// Nine in ten are settled; the rest want more pods, fewer, or wait for some to be ready.
func (l *loader) replicaSet(namespace string, n, own int) *apps.ReplicaSet {
	wanted := int32(own)
	switch n % 40 {
	case 13:
		wanted += 2
	case 27:
		wanted /= 2
	}
	app := fmt.Sprintf("app-%d", n)
	name := app + "-5d9c8f7b6d"
	labels := map[string]string{"app": app, "pod-template-hash": "5d9c8f7b6d"}
	counted := int32(own)
	return &apps.ReplicaSet{
		TypeMeta: meta.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"},
		ObjectMeta: meta.ObjectMeta{
			Namespace: namespace, Name: name, UID: uid("1", n, 0), Generation: 2, CreationTimestamp: l.created,
			Labels:          labels,
			Annotations:     map[string]string{"deployment.kubernetes.io/desired-replicas": fmt.Sprint(wanted)},
			OwnerReferences: []meta.OwnerReference{owner("Deployment", app, uid("2", n, 0))},
			ManagedFields: []meta.ManagedFieldsEntry{
				l.managed("kube-controller-manager", "", "apps/v1", 12),
				l.managed("kube-controller-manager", "status", "apps/v1", 6),
			},
		},
		Spec: apps.ReplicaSetSpec{
			Replicas: &wanted,
			Selector: &meta.LabelSelector{MatchLabels: labels},
			Template: core.PodTemplateSpec{ObjectMeta: meta.ObjectMeta{Labels: labels}, Spec: l.spec("")},
		},
		Status: apps.ReplicaSetStatus{
			Replicas: counted, FullyLabeledReplicas: counted, ReadyReplicas: counted, AvailableReplicas: counted,
			ObservedGeneration: 2,
		},
	}
}

func (l *loader) pod(of *apps.ReplicaSet, p int) *core.Pod {
	var n int
	_, _ = fmt.Sscanf(of.Name, "app-%d", &n)
	node := fmt.Sprintf("node-%d", (n+p)%200)
	pod := &core.Pod{
		TypeMeta: meta.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: meta.ObjectMeta{
			Namespace: of.Namespace, Name: fmt.Sprintf("%s-%05x", of.Name, p), GenerateName: of.Name + "-",
			UID: uid("3", n, p), CreationTimestamp: l.created, Labels: of.Labels, Generation: 1,
			Annotations:     map[string]string{"prometheus.io/scrape": "true", "checksum/config": strings.Repeat("0123456789abcdef", 4)},
			OwnerReferences: []meta.OwnerReference{owner("ReplicaSet", of.Name, of.UID)},
			ManagedFields: []meta.ManagedFieldsEntry{
				l.managed("kube-controller-manager", "", "v1", 12),
				l.managed("kubelet", "status", "v1", 8),
			},
		},
		Spec: l.spec(node),
		Status: core.PodStatus{
			Phase: core.PodRunning, HostIP: "10.1.0.1", PodIP: "10.2.0.1", StartTime: &l.created,
			PodIPs: []core.PodIP{{IP: "10.2.0.1"}}, HostIPs: []core.HostIP{{IP: "10.1.0.1"}}, QOSClass: core.PodQOSBurstable,
		},
	}
	for _, kind := range []core.PodConditionType{
		core.PodReadyToStartContainers, core.PodInitialized, core.PodReady, core.ContainersReady, core.PodScheduled,
	} {
		pod.Status.Conditions = append(pod.Status.Conditions,
			core.PodCondition{Type: kind, Status: core.ConditionTrue, LastTransitionTime: l.created})
	}
	started := true
	for c, container := range pod.Spec.Containers {
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, core.ContainerStatus{
			Name: container.Name, Image: container.Image, Ready: true, Started: &started, RestartCount: int32(c),
			ImageID:     container.Image + "@sha256:" + strings.Repeat("0123456789abcdef", 4),
			ContainerID: "containerd://" + strings.Repeat("fedcba9876543210", 4),
			State:       core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: l.created}},
		})
	}
	return pod
}

func (l *loader) spec(node string) core.PodSpec {
	grace := int64(30)
	spec := core.PodSpec{
		NodeName: node, RestartPolicy: core.RestartPolicyAlways, DNSPolicy: core.DNSClusterFirst,
		ServiceAccountName: "default", SchedulerName: "default-scheduler", TerminationGracePeriodSeconds: &grace,
		Volumes: []core.Volume{{Name: "data", VolumeSource: core.VolumeSource{EmptyDir: &core.EmptyDirVolumeSource{}}}},
	}
	for c, name := range []string{"main", "proxy"} {
		container := core.Container{
			Name: name, Image: "registry.example/team/" + name + ":1.2.3", ImagePullPolicy: core.PullIfNotPresent,
			Ports: []core.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: core.ProtocolTCP}},
			Resources: core.ResourceRequirements{
				Requests: core.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
				Limits:   core.ResourceList{"cpu": resource.MustParse("1"), "memory": resource.MustParse("256Mi")},
			},
			VolumeMounts: []core.VolumeMount{{Name: "data", MountPath: "/data"}},
		}
		for v := c; v < l.variables; v += 2 {
			container.Env = append(container.Env, core.EnvVar{
				Name: fmt.Sprintf("VALUE_%d", v),
				ValueFrom: &core.EnvVarSource{
					ConfigMapKeyRef: &core.ConfigMapKeySelector{Key: fmt.Sprintf("key%d", v)},
				},
			})
		}
		spec.Containers = append(spec.Containers, container)
	}
	return spec
}

func owner(kind, name string, uid types.UID) meta.OwnerReference {
	yes, version := true, "apps/v1"
	return meta.OwnerReference{APIVersion: version, Kind: kind, Name: name, UID: uid, Controller: &yes, BlockOwnerDeletion: &yes}
}

func (l *loader) managed(by, subresource, version string, fields int) meta.ManagedFieldsEntry {
	var text strings.Builder
	text.WriteString(`{"f:spec":{`)
	for f := range fields {
		if f > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `"f:field%d":{".":{},"f:name":{},"f:value":{}}`, f)
	}
	text.WriteString(`}}`)
	return meta.ManagedFieldsEntry{
		Manager: by, Operation: meta.ManagedFieldsOperationUpdate, APIVersion: version, Time: &l.created,
		FieldsType: "FieldsV1", FieldsV1: &meta.FieldsV1{Raw: []byte(text.String())}, Subresource: subresource,
	}
}
