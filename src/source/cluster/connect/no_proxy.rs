//! NO_PROXY, by the rules of Go's net/http, which kubectl follows.
//!
//! Looked at: `hyper_util::client::proxy::matcher`. It has no ports in entries, takes `.example.com` for
//! `example.com` too, and sends loopback addresses through the proxy.

use std::net::IpAddr;

/// Whether a host is to be reached without the proxy of the environment: NO_PROXY names it, or it is this
/// very machine.
pub fn is_direct(no_proxy: &str, host: &str, port: u16) -> bool {
    let host = plain(host);
    let address: Option<IpAddr> = host.parse().ok();
    host == "localhost"
        || address.is_some_and(|address| address.is_loopback())
        || no_proxy.split(',').map(str::trim).any(|entry| matches(entry, &host, address, port))
}

/// A host in lower case, without the brackets of IPv6 and the dot of the root.
fn plain(host: &str) -> String {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    bare.trim_end_matches('.').to_ascii_lowercase()
}

fn matches(entry: &str, host: &str, address: Option<IpAddr>, port: u16) -> bool {
    let entry = entry.to_ascii_lowercase();
    if entry.is_empty() {
        return false;
    }
    if entry == "*" {
        return true;
    }
    if let Some(network) = Network::parse(&entry) {
        return address.is_some_and(|address| network.contains(address));
    }
    let (name, only) = split_port(&entry);
    if only.is_some_and(|only| only != port) {
        return false;
    }
    match plain(name).parse::<IpAddr>() {
        Ok(named) => address == Some(named),
        Err(_) => address.is_none() && matches_domain(name, host),
    }
}

/// `foo.com` is itself and what is below it; `.foo.com` and `*.foo.com` only what is below it.
fn matches_domain(name: &str, host: &str) -> bool {
    let name = name.strip_prefix('*').filter(|rest| rest.starts_with('.')).unwrap_or(name);
    match name.strip_prefix('.') {
        Some(parent) => is_below(host, parent),
        None => host == name || is_below(host, name),
    }
}

fn is_below(host: &str, parent: &str) -> bool {
    !parent.is_empty() && host.strip_suffix(parent).is_some_and(|front| front.ends_with('.'))
}

/// `host`, `host:port`, `1.2.3.4:port`, `[::1]:port`; a bare IPv6 address has no port.
fn split_port(entry: &str) -> (&str, Option<u16>) {
    if entry.parse::<IpAddr>().is_ok() {
        return (entry, None);
    }
    match entry.rsplit_once(':').map(|(name, port)| (name, port.parse())) {
        Some((name, Ok(port))) => (name, Some(port)),
        _ => (entry, None),
    }
}

/// A range of addresses such as `10.0.0.0/8`.
struct Network {
    address: IpAddr,
    prefix: u32,
}

impl Network {
    fn parse(text: &str) -> Option<Network> {
        let (address, prefix) = text.split_once('/')?;
        let network = Network { address: address.parse().ok()?, prefix: prefix.parse().ok()? };
        let bits = if network.address.is_ipv4() { 32 } else { 128 };
        (network.prefix <= bits).then_some(network)
    }

    fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(ours), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - self.prefix).unwrap_or(0);
                ours.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(ours), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - self.prefix).unwrap_or(0);
                ours.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn direct(no_proxy: &str, host: &str) -> bool {
        is_direct(no_proxy, host, 6443)
    }

    #[test]
    fn this_machine_never_takes_the_proxy() {
        for host in ["localhost", "LocalHost", "127.0.0.1", "127.8.9.1", "[::1]", "::1"] {
            assert!(direct("", host), "{host}");
        }
        assert!(!direct("", "10.0.0.1") && !direct("", "localhost.example"));
    }

    #[test]
    fn a_star_names_everything() {
        assert!(direct("*", "k8s.example") && direct("x, *", "10.0.0.1"));
        assert!(!direct("*x", "k8s.example"));
    }

    #[test]
    fn a_domain_is_itself_and_what_is_below() {
        for host in ["example.com", "api.example.com", "API.Example.COM", "a.b.example.com", "example.com."] {
            assert!(direct("example.com", host), "{host}");
        }
        assert!(!direct("example.com", "badexample.com") && !direct("example.com", "example.com.org"));
    }

    #[test]
    fn a_leading_dot_leaves_out_the_domain_itself() {
        for entry in [".example.com", "*.example.com"] {
            assert!(direct(entry, "api.example.com"), "{entry}");
            assert!(!direct(entry, "example.com"), "{entry}");
        }
        assert!(!direct(".", "example.com") && !direct("*.", "example.com"));
    }

    #[test]
    fn addresses_and_ranges_name_addresses() {
        assert!(direct("10.1.2.3", "10.1.2.3") && !direct("10.1.2.3", "10.1.2.4"));
        assert!(direct("10.0.0.0/8", "10.9.9.9") && !direct("10.0.0.0/8", "11.0.0.1"));
        assert!(direct("10.1.2.3/8", "10.9.9.9"), "the host part of a range does not count");
        assert!(direct("0.0.0.0/0", "8.8.8.8") && direct("10.1.2.3/32", "10.1.2.3"));
        assert!(direct("2001:db8::/32", "[2001:db8:1::5]") && !direct("2001:db8::/32", "2001:db9::1"));
        assert!(direct("::/0", "2001:db8::1") && !direct("::/0", "10.0.0.1"));
        assert!(!direct("10.0.0.0/33", "10.0.0.1") && !direct("10.0.0.0/x", "10.0.0.1"));
        assert!(!direct("0.0.1", "10.0.0.1"), "no suffixes of addresses");
    }

    #[test]
    fn a_port_limits_an_entry() {
        assert!(direct("example.com:6443", "example.com") && !direct("example.com:443", "example.com"));
        assert!(direct("10.0.0.1:6443", "10.0.0.1") && !direct("10.0.0.1:443", "10.0.0.1"));
        assert!(direct("[2001:db8::1]:6443", "2001:db8::1") && !direct("[2001:db8::1]:1", "2001:db8::1"));
        assert!(direct("[2001:db8::1]", "2001:db8::1") && direct("2001:db8::1", "[2001:db8::1]"));
    }

    #[test]
    fn entries_are_a_list() {
        let list = " a.example , ,10.0.0.0/8,.corp ";
        assert!(direct(list, "a.example") && direct(list, "10.2.3.4") && direct(list, "x.corp"));
        assert!(!direct(list, "b.example"));
    }
}
