//! The HTTP client that kube speaks through.
//!
//! kube's own leaves Nagle's algorithm on: the request, written right behind the end of the TLS
//! handshake, then waits 40 ms for the server's delayed acknowledgement on every new connection. For a
//! server that is reached directly the same layers are put together here without that.

use hyper_timeout::TimeoutConnector;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use kube::client::{Body, ConfigExt};
use tower::{BoxError, ServiceBuilder};
use tower_http::decompression::DecompressionLayer;

/// A client for this configuration; nothing is asked of the server yet.
pub(crate) fn client(config: kube::Config) -> Result<kube::Client, kube::Error> {
    if config.proxy_url.is_some() {
        return kube::Client::try_from(config);
    }
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    let mut connector = TimeoutConnector::new(config.rustls_https_connector_with_connector(tcp)?);
    connector.set_connect_timeout(config.connect_timeout);
    connector.set_read_timeout(config.read_timeout);
    connector.set_write_timeout(config.write_timeout);
    connector.set_reset_reader_on_write(config.reset_reader_on_write);
    let http = legacy::Client::builder(TokioExecutor::new()).build::<_, Body>(connector);
    let gzip = DecompressionLayer::new().no_br().no_deflate().no_zstd().gzip(!config.disable_compression);
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .layer(gzip)
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(http);
    Ok(kube::Client::new(service, config.default_namespace))
}
