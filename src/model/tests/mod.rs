mod claims;
mod handlers;
mod syncs;
