//! The smallest API server: one answer a connection, by path and query.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

/// A status and a JSON body; None is never answered.
pub type Answer = Option<(u16, String)>;

/// Serves until the test ends; gives the address.
pub fn serve(answers: fn(&str) -> Answer) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming().flatten() {
            if reply(&stream, answers).is_none() {
                kept.push(stream);
            }
        }
    });
    address
}

fn reply(mut stream: &TcpStream, answers: fn(&str) -> Answer) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let (status, body) = answers(first.strip_prefix("GET ")?.split(' ').next()?)?;
    let head = "content-type: application/json\r\nconnection: close\r\ncontent-length:";
    write!(stream, "HTTP/1.1 {status} -\r\n{head} {}\r\n\r\n{body}", body.len()).ok()
}
