//! Ctrl-C: the first one ends an open window, any other ends the program at once.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, Once, PoisonError};

use futures::channel::oneshot;

/// What a shell reports for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// The window that the next Ctrl-C closes.
static WINDOW: Mutex<Option<oneshot::Sender<()>>> = Mutex::new(None);

static LISTENING: Once = Once::new();

/// Resolves at the next Ctrl-C; once it has, or is dropped, a Ctrl-C ends the program.
pub async fn next() {
    let (sender, interrupted) = oneshot::channel();
    *WINDOW.lock().unwrap_or_else(PoisonError::into_inner) = Some(sender);
    LISTENING.call_once(listen);
    if interrupted.await.is_err() {
        // Ctrl-C cannot be listened to here: it does what it always does.
        std::future::pending::<()>().await;
    }
}

/// Listens on a thread of its own, since what follows a window is not asynchronous.
fn listen() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let Ok(runtime) = runtime else { return };
    let spawned = std::thread::Builder::new().name("ctrl-c".into()).spawn(move || {
        runtime.block_on(async {
            while tokio::signal::ctrl_c().await.is_ok() {
                let window = WINDOW.lock().unwrap_or_else(PoisonError::into_inner).take();
                if window.is_none_or(|window| window.send(()).is_err()) {
                    end();
                }
            }
        });
    });
    // Without the thread, Ctrl-C ends the program as it always does.
    let _ = spawned;
}

fn end() -> ! {
    if std::io::stderr().is_terminal() {
        // Behind the countdown or the ^C that the terminal shows.
        let _ = writeln!(std::io::stderr());
    }
    std::process::exit(INTERRUPTED)
}
