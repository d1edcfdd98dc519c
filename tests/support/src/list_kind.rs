//! Kinds of lists, as the API server names them.

/// The kind of the list of a resource.
pub fn list_kind(resource: &str) -> &'static str {
    match resource {
        "replicasets" => "ReplicaSetList",
        "pods" => "PodList",
        "events" => "EventList",
        "leases" => "LeaseList",
        "namespaces" => "NamespaceList",
        "resourcequotas" => "ResourceQuotaList",
        "deployments" => "DeploymentList",
        other => panic!("{other}"),
    }
}
