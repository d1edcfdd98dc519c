//! Events, of the core group and of events.k8s.io. In protobuf only the core group is asked.

use super::meta::ObjectMeta;
use super::scalar::Time;
use super::shape::{Typed, is_default, or_default, shape};
use super::{Error, meta};
use crate::objects::{Event, Resource};

shape! {
    /// Kind and apiVersion as in [`Whole`](super::shape::Whole).
    EventShape {
        string api_version = 10_001,
        string kind = 10_002,
        ObjectMeta metadata = 1,
        #[serde(alias = "regarding")]
        EventObject involved_object = 2,
        string reason = 3,
        #[serde(alias = "note")]
        string message = 4,
        #[serde(alias = "reportingController")]
        string reporting_component = 14,
        #[serde(alias = "deprecatedSource")]
        EventSource source = 5,
        #[serde(alias = "deprecatedCount")]
        int64 count = 8,
        #[serde(alias = "deprecatedFirstTimestamp")]
        Time first_timestamp = 6,
        #[serde(alias = "deprecatedLastTimestamp")]
        Time last_timestamp = 7,
        Time event_time = 10,
        EventSeries series = 11,
    }
}

shape! {
    EventObject {
        string kind = 1,
        string name = 3,
        string uid = 4,
    }
}

shape! {
    EventSource {
        string component = 1,
    }
}

shape! {
    EventSeries {
        int64 count = 1,
        Time last_observed_time = 2,
    }
}

impl Typed for EventShape {
    fn type_meta(&self) -> (&str, &str) {
        (&self.api_version, &self.kind)
    }
}

impl TryFrom<EventShape> for Event {
    type Error = Error;

    fn try_from(from: EventShape) -> Result<Event, Error> {
        let series = from.series.unwrap_or_default();
        let at = Time::read("eventTime", from.event_time)?;
        let first = Time::read("firstTimestamp", from.first_timestamp)?;
        let last = Time::read("lastTimestamp", from.last_timestamp)?;
        let series_last = Time::read("series.lastObservedTime", series.last_observed_time)?;
        let about = from.involved_object.unwrap_or_default();
        let source = from.source.unwrap_or_default().component;
        Ok(Event {
            meta: meta::read(from.metadata)?,
            about_kind: about.kind,
            about_name: about.name,
            about_uid: about.uid,
            reason: from.reason,
            message: from.message,
            component: if source.is_empty() { from.reporting_component } else { source },
            count: from.count.max(series.count).max(1),
            first: first.or(at),
            last: last.max(series_last).or(first).or(at),
        })
    }
}

impl From<&Event> for EventShape {
    fn from(from: &Event) -> EventShape {
        EventShape {
            api_version: Resource::Events.api_version(),
            kind: Resource::Events.kind().to_owned(),
            metadata: Some(meta::write(&from.meta)),
            involved_object: Some(EventObject {
                kind: from.about_kind.clone(),
                name: from.about_name.clone(),
                uid: from.about_uid.clone(),
            }),
            reason: from.reason.clone(),
            message: from.message.clone(),
            source: Some(EventSource { component: from.component.clone() }),
            count: from.count,
            first_timestamp: from.first.map(Time::from),
            last_timestamp: from.last.map(Time::from),
            ..EventShape::default()
        }
    }
}
