//! Connections, against a fake API server in this process. What the user sees is compared to the letter; that
//! a flag has an effect is proved by what the server saw. The environment is a value: nothing of this machine
//! leaks in.

mod fake;
mod proxy;
mod setting;
mod tls;

mod answers;
mod credentials;
mod files;
mod flags;
mod network;
