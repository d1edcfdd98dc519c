//! Which proxy a cluster is reached through.

use http::Uri;

use crate::source::cluster::connect::environment::Environment;
use crate::source::cluster::connect::error::ConfigError;
use crate::source::cluster::connect::no_proxy;
use crate::source::cluster::text::shown;

/// The proxy for a server: the cluster's own `proxy-url`, else that of the environment where NO_PROXY does
/// not name the server.
pub fn choose(
    own: Option<&str>,
    server: &Uri,
    environment: &Environment,
) -> Result<Option<Uri>, ConfigError> {
    if let Some(own) = own.filter(|own| !own.is_empty()) {
        return parse(own, "proxy-url of the cluster").map(Some);
    }
    let https = server.scheme_str() == Some("https");
    let names = if https { ["HTTPS_PROXY", "https_proxy"] } else { ["HTTP_PROXY", "http_proxy"] };
    let Some(proxy) = environment.first(&names) else { return Ok(None) };
    let port = server.port_u16().unwrap_or(if https { 443 } else { 80 });
    let excluded = environment.first(&["NO_PROXY", "no_proxy"]).unwrap_or_default();
    if no_proxy::is_direct(excluded, server.host().unwrap_or_default(), port) {
        return Ok(None);
    }
    parse(proxy, names[0]).map(Some)
}

/// A proxy's address, http by default. It may hold a password, so an error does not show it.
fn parse(text: &str, place: &'static str) -> Result<Uri, ConfigError> {
    let text = match text.split_once("://") {
        None => format!("http://{text}"),
        Some(("socks5h", rest)) => format!("socks5://{rest}"),
        Some(_) => text.into(),
    };
    let uri: Uri = text.parse().map_err(|_| ConfigError::ProxyAddress { place, why: "not a URL" })?;
    match uri.scheme_str() {
        Some("http" | "https" | "socks5") if uri.host().is_some_and(|host| !host.is_empty()) => Ok(uri),
        Some("http" | "https" | "socks5") => Err(ConfigError::ProxyAddress { place, why: "names no host" }),
        other => Err(ConfigError::ProxyScheme { place, scheme: shown(other.unwrap_or_default()) }),
    }
}

/// Host and port of a proxy or server, without a password.
pub fn address(uri: &Uri) -> String {
    let default = match uri.scheme_str() {
        Some("socks5") => 1080,
        Some("https") => 443,
        _ => 80,
    };
    format!("{}:{}", uri.host().unwrap_or_default(), uri.port_u16().unwrap_or(default))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        Environment {
            variables: pairs.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            service_account: "/nonexistent".into(),
            terminal: false,
            quiet: false,
        }
    }

    fn chosen(own: Option<&str>, server: &str, pairs: &[(&str, &str)]) -> Option<String> {
        let server = server.parse().unwrap();
        choose(own, &server, &environment(pairs)).unwrap().map(|uri| uri.to_string())
    }

    #[test]
    fn the_environment_gives_a_proxy_by_scheme() {
        let both = [("HTTPS_PROXY", "http://s:1"), ("HTTP_PROXY", "http://p:2")];
        assert_eq!(chosen(None, "https://k8s.example:6443", &both).as_deref(), Some("http://s:1/"));
        assert_eq!(chosen(None, "http://k8s.example", &both).as_deref(), Some("http://p:2/"));
        assert_eq!(
            chosen(None, "https://k8s.example", &[("https_proxy", "s:1")]).as_deref(),
            Some("http://s:1/")
        );
        assert_eq!(chosen(None, "https://k8s.example", &[("ALL_PROXY", "http://s:1")]), None);
        assert_eq!(chosen(None, "https://k8s.example", &[("HTTPS_PROXY", "")]), None);
    }

    #[test]
    fn no_proxy_is_about_the_server() {
        let excluded = |list| [("HTTPS_PROXY", "http://s:1"), ("NO_PROXY", list)];
        assert_eq!(chosen(None, "https://10.0.0.1:6443", &excluded("10.0.0.0/8")), None);
        assert_eq!(chosen(None, "https://k8s.example", &excluded("k8s.example:443")), None);
        assert!(chosen(None, "https://k8s.example", &excluded("s:1,s")).is_some());
    }

    #[test]
    fn the_clusters_own_proxy_wins_over_everything() {
        let pairs = [("HTTPS_PROXY", "http://s:1"), ("NO_PROXY", "*")];
        assert_eq!(
            chosen(Some("socks5://own:9"), "https://127.0.0.1", &pairs).as_deref(),
            Some("socks5://own:9/")
        );
    }

    #[test]
    fn an_error_does_not_show_the_password() {
        for wrong in ["ftp://u:hunter2@p", "http://u:hunter2@", "http://u:hunter2@a b"] {
            let error = choose(Some(wrong), &Uri::from_static("https://x"), &environment(&[])).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
        assert_eq!(address(&Uri::from_static("http://u:hunter2@p:3128")), "p:3128");
    }
}
