//! Writes the man pages into a directory, from the definitions that the help is made of:
//!
//!     cargo run --example man -- DIR
//!
//! They are of the day of SOURCE_DATE_EPOCH, a time in seconds; without it they name none.

mod pages;

use std::error::Error;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: man DIR")?);
    let date = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(seconds) => Timestamp::from_second(seconds.parse()?)?.to_zoned(TimeZone::UTC).date().to_string(),
        Err(_) => String::new(),
    };
    std::fs::create_dir_all(&directory)?;
    for page in pages::all(&date)? {
        std::fs::write(directory.join(page.file), page.text)?;
    }
    Ok(())
}
