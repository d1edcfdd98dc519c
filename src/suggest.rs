//! "Did you mean": the known word that a mistyped one resembles.

/// The candidate closest to a word: at most a third of its letters are wrong (one of a short word), upper
/// and lower case alike. Else the only candidate that contains the word.
pub(crate) fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = word.to_lowercase();
    let candidates: Vec<&str> = candidates.collect();
    let allowed = (wanted.chars().count() / 3).max(1);
    candidates
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase()), *candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
        .or_else(|| only_containing(&wanted, &candidates))
}

/// What to append to an error about an unknown word: `; did you mean "..."?`, or nothing.
pub(crate) fn hint<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"))
}

fn only_containing<'a>(wanted: &str, candidates: &[&'a str]) -> Option<&'a str> {
    if wanted.chars().count() < 3 {
        return None;
    }
    let mut containing = candidates.iter().filter(|candidate| candidate.to_lowercase().contains(wanted));
    let first = containing.next()?;
    containing.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 4] = ["QuotaExceeded", "WebhookDenied", "WebhookTimedOut", "rs"];

    fn near(word: &str) -> Option<&str> {
        nearest(word, WORDS.iter().copied())
    }

    #[test]
    fn a_slip_of_the_keys_finds_the_word() {
        assert_eq!(near("QuotaExceded"), Some("QuotaExceeded"));
        assert_eq!(near("quotaexceeded"), Some("QuotaExceeded"));
        assert_eq!(near("WebhookDeined"), Some("WebhookDenied"));
    }

    #[test]
    fn a_part_that_one_word_has_finds_it() {
        assert_eq!(near("Quota"), Some("QuotaExceeded"));
        assert_eq!(near("Webhook"), None, "two words have it");
    }

    #[test]
    fn other_words_find_nothing() {
        assert_eq!(near("Banana"), None);
        assert_eq!(near("svc"), None);
        assert_eq!(near(""), None);
        assert_eq!(hint("Banana", WORDS.iter().copied()), "");
    }
}
