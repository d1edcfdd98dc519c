//! Quantities such as `8Gi` or `250m`, compared exactly enough to tell which is larger.

/// The value in thousandths of the base unit; None if the text is not a quantity or is beyond
/// 128 bits. Fractions below a thousandth are dropped.
pub fn parse_milli(text: &str) -> Option<i128> {
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-' || c == '+'));
    let (number, suffix) = text.split_at(digits.unwrap_or(text.len()));
    let factor: i128 = match suffix {
        "m" => 1,
        "" => 1_000,
        "k" => 1_000_000,
        "M" => 1_000_000_000,
        "G" => 1_000_000_000_000,
        "T" => 1_000_000_000_000_000,
        "P" => 1_000_000_000_000_000_000,
        "E" => 1_000_000_000_000_000_000_000,
        "Ki" => 1_000 << 10,
        "Mi" => 1_000 << 20,
        "Gi" => 1_000 << 30,
        "Ti" => 1_000 << 40,
        "Pi" => 1_000 << 50,
        "Ei" => 1_000 << 60,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let scale = 10i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let sign = if whole.starts_with('-') { -1 } else { 1 };
    let whole = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unsigned = |s: &str| s.bytes().all(|c| c.is_ascii_digit());
    if !unsigned(whole) || !unsigned(fraction) {
        return None;
    }
    let parse = |s: &str| if s.is_empty() { Some(0) } else { s.parse::<i128>().ok() };
    let mantissa = parse(whole)?.checked_mul(scale)?.checked_add(parse(fraction)?)?;
    Some(sign * mantissa.checked_mul(factor)? / scale)
}

#[cfg(test)]
mod tests {
    use super::parse_milli;

    #[test]
    fn quantities_of_different_suffixes_compare_by_value() {
        assert!(parse_milli("8Gi") > parse_milli("4Gi"));
        assert!(parse_milli("1G") < parse_milli("1Gi"));
        assert_eq!(parse_milli("0.5"), parse_milli("500m"));
        assert_eq!(parse_milli("-1.5Ki"), Some(-1_536_000));
        for junk in ["", "Gi", "1x", "--1", "1e999"] {
            assert_eq!(parse_milli(junk), None, "{junk:?}");
        }
    }
}
