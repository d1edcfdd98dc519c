//! How fast a protobuf list of 20,000 pods is decoded from chunks into the objects that are
//! kept, and what that takes of memory: `cargo bench --bench protobuf [PODS]`.
//!
//! The body is made chunk by chunk, so that the memory is that of the decoder alone.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rsexp::objects::wire::ListDecoder;
use rsexp::objects::{Object, Resource};

const PODS: usize = 20_000;

/// What a read of a busy connection gives.
const CHUNK: usize = 64 << 10;

fn varint(mut value: usize, to: &mut Vec<u8>) {
    while value > 0x7f {
        to.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn field(number: usize, content: &[u8], to: &mut Vec<u8>) {
    varint(number << 3 | 2, to);
    varint(content.len(), to);
    to.extend_from_slice(content);
}

fn message(fields: &[(usize, &[u8])]) -> Vec<u8> {
    let mut to = Vec::new();
    fields.iter().for_each(|(number, content)| field(*number, content, &mut to));
    to
}

fn number(tag: usize, value: usize, to: &mut Vec<u8>) {
    varint(tag << 3, to);
    varint(value, to);
}

fn time() -> Vec<u8> {
    let mut to = Vec::new();
    number(1, 1_767_268_800, &mut to);
    number(2, 0, &mut to);
    to
}

fn pair(key: &str, value: &str) -> Vec<u8> {
    message(&[(1, key.as_bytes()), (2, value.as_bytes())])
}

/// A pod with what a pod of a Deployment carries: about 5 KB, 16 KB in JSON.
fn pod(index: usize) -> Vec<u8> {
    let padding = "v".repeat(1_500);
    let manager = |name: &str, sub: &str| {
        message(&[
            (1, name.as_bytes()),
            (2, b"Update"),
            (4, &time()),
            (7, &message(&[(1, padding.as_bytes())])),
            (8, sub.as_bytes()),
        ])
    };
    let mut owner = message(&[
        (1, b"ReplicaSet"),
        (3, b"web-7d4b9c6f5d"),
        (4, b"0d7a2f7e-4f55-4c4e-9d7e-3f1f0a9c1b2d"),
        (5, b"apps/v1"),
    ]);
    number(6, 1, &mut owner);
    let metadata = message(&[
        (1, format!("web-7d4b9c6f5d-{index:05}").as_bytes()),
        (2, b"web-7d4b9c6f5d-"),
        (3, b"shop"),
        (5, format!("0d7a2f7e-4f55-4c4e-9d7e-{index:012}").as_bytes()),
        (6, format!("{:09}", index + 1_000).as_bytes()),
        (8, &time()),
        (11, &pair("app", "web")),
        (11, &pair("pod-template-hash", "7d4b9c6f5d")),
        (11, &pair("tier", "front")),
        (12, &pair("checksum/config", "0123456789abcdef0123456789abcdef")),
        (13, &owner),
        (17, &manager("kube-controller-manager", "")),
        (17, &manager("kubelet", "status")),
    ]);
    let container = message(&[
        (1, b"app"),
        (2, b"registry.example/web:1.2.3"),
        (7, &pair("CONFIG", &padding)),
        (9, &pair("kube-api-access", "/var/run/secrets")),
    ]);
    let spec = message(&[(1, &pair("kube-api-access", "volume")), (2, &container), (10, b"node-17")]);
    let condition = |kind: &str| {
        message(&[(1, kind.as_bytes()), (2, b"True"), (3, b""), (4, &time()), (5, b""), (6, b"")])
    };
    let mut container_status = message(&[(1, b"app"), (6, b"registry.example/web:1.2.3")]);
    number(5, 1, &mut container_status);
    let status = message(&[
        (1, b"Running"),
        (2, &condition("PodReadyToStartContainers")),
        (2, &condition("Initialized")),
        (2, &condition("Ready")),
        (2, &condition("ContainersReady")),
        (2, &condition("PodScheduled")),
        (6, b"10.0.0.1"),
        (8, &container_status),
    ]);
    message(&[(1, &metadata), (2, &spec), (3, &status)])
}

struct Run {
    objects: Vec<Object>,
    bytes: usize,
    decoding: Duration,
}

impl Run {
    fn push(&mut self, decoder: &mut ListDecoder, chunk: &[u8]) {
        let begun = Instant::now();
        let objects = &mut self.objects;
        decoder.push(chunk, &mut |item| objects.extend(item)).expect("a list");
        self.decoding += begun.elapsed();
        self.bytes += chunk.len();
    }
}

fn run(pods: usize) -> Run {
    let item = |index| message(&[(2, &pod(index))]);
    let meta = message(&[(1, &message(&[(2, b"123456")]))]);
    let mut body = b"k8s\0".to_vec();
    field(1, &message(&[(1, b"v1"), (2, b"PodList")]), &mut body);
    varint(2 << 3 | 2, &mut body);
    varint(meta.len() + pods * item(0).len(), &mut body);
    body.extend_from_slice(&meta);
    let mut decoder = ListDecoder::new(Resource::Pods, true);
    let mut run = Run { objects: Vec::new(), bytes: 0, decoding: Duration::ZERO };
    for index in 0..pods {
        body.extend_from_slice(&item(index));
        while body.len() >= CHUNK {
            let rest = body.split_off(CHUNK);
            run.push(&mut decoder, &body);
            body = rest;
        }
    }
    run.push(&mut decoder, &body);
    assert_eq!(decoder.finish().expect("a whole list").resource_version, "123456");
    run
}

fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn main() {
    let pods = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(PODS);
    for _ in 0..5 {
        let run = run(pods);
        assert_eq!(black_box(&run.objects).len(), pods);
        let (megabytes, seconds) = (run.bytes as f64 / 1e6, run.decoding.as_secs_f64());
        println!(
            "{pods} pods, {megabytes:.1} MB: {:.0} ms, {:.0} MB/s, peak {:.0} MB",
            seconds * 1e3,
            megabytes / seconds,
            peak_megabytes().unwrap_or_default()
        );
    }
}
