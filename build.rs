//! Hands the target on, which cargo tells nobody else.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=RSEXP_TARGET={}", std::env::var("TARGET").unwrap_or_default());
}
