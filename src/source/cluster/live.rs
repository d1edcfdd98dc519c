//! The way in for the rest of the program, which is not asynchronous.

use tokio::runtime::{Builder, Runtime};

use crate::objects::Object;
use crate::source::Sink;
use crate::source::cluster::Flags;
use crate::source::cluster::connect::environment::Environment;
use crate::source::cluster::error::ClusterError;
use crate::source::cluster::read::access::{self, Access};
use crate::source::cluster::read::clock::Clock;
use crate::source::cluster::read::interrupt;
use crate::source::cluster::read::list::Reader;
use crate::source::cluster::read::scope::{Read, Scope};
use crate::source::cluster::read::window::{self, LiveNotes};
use crate::source::cluster::request::client::Client;

/// A connection to a cluster that is read from outside asynchronous code.
pub struct Live {
    runtime: Runtime,
    client: Client,
}

impl Live {
    /// Connects as kubectl would with these flags.
    pub fn connect(flags: &Flags) -> Result<Live, ClusterError> {
        Live::connect_in(flags, Environment::of_process())
    }

    /// Connects without asking or telling the user anything.
    pub fn connect_silently(flags: &Flags) -> Result<Live, ClusterError> {
        Live::connect_in(flags, Environment::silent())
    }

    fn connect_in(flags: &Flags, environment: Environment) -> Result<Live, ClusterError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(ClusterError::Runtime)?;
        let client = runtime.block_on(Client::connect_in(flags, environment))?;
        Ok(Live { runtime, client })
    }

    /// The namespace of the context, or of the service account in a cluster.
    pub fn default_namespace(&self) -> &str {
        self.client.default_namespace()
    }

    /// The objects of one list.
    pub fn list(&self, read: &Read) -> Result<Vec<Object>, ClusterError> {
        let reader = Reader::new(&self.client, Clock::start(), 0);
        self.runtime.block_on(reader.list(read)).map(|listed| listed.items)
    }

    /// Tries what may be read.
    pub fn probe(&self, reads: &[Read]) -> Result<Vec<Access>, ClusterError> {
        self.runtime.block_on(access::probe(&self.client, reads))
    }

    /// Lists and watches into the sink until the window closes.
    ///
    /// A Ctrl-C while it is open closes it; every other one from here on ends the program
    /// with 130.
    pub fn read(&self, scope: &Scope, sink: &mut dyn Sink) -> Result<LiveNotes, ClusterError> {
        self.runtime.block_on(window::run(&self.client, scope, interrupt::next(), sink))
    }
}
