//! From the bytes of a Parquet file to rows of values.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::{Field, Row};
use bytes::Bytes;

use super::super::super::Cell;
use super::tables::{Table, Value};

/// Reads all rows; the error says what is wrong.
pub(super) fn read(bytes: Vec<u8>) -> Result<Table, String> {
    // The crate asserts what it expects of a page; a damaged one must not end the program.
    let read = catch_unwind(AssertUnwindSafe(|| read_rows(bytes)));
    read.unwrap_or_else(|_| Err("a damaged page".to_owned()))
}

fn read_rows(bytes: Vec<u8>) -> Result<Table, String> {
    let file = SerializedFileReader::new(Bytes::from(bytes)).map_err(|error| error.to_string())?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let names = schema.root_schema().get_fields().iter().map(|own| own.name().to_owned()).collect();
    let mut table = Table { names, rows: Vec::new() };
    for row in file.get_row_iter(None).map_err(|error| error.to_string())? {
        table.rows.push(values(row.map_err(|error| error.to_string())?)?);
    }
    Ok(table)
}

fn values(row: Row) -> Result<Vec<Value>, String> {
    row.into_columns().into_iter().map(|(name, field)| value(&name, field)).collect()
}

fn value(name: &str, field: Field) -> Result<Value, String> {
    if let Field::ListInternal(list) = &field {
        let number = |field: &Field| number(field).map(|value| value as f32);
        let numbers: Option<Vec<f32>> = list.elements().iter().map(number).collect();
        let refused = || format!("column {name} has lists of what are not numbers");
        return numbers.map(Value::Numbers).ok_or_else(refused);
    }
    Ok(Value::One(match field {
        Field::Null => Cell::Empty,
        Field::Bool(flag) => Cell::Flag(flag),
        Field::Str(text) => Cell::text(&text),
        Field::Bytes(bytes) => Cell::text(&String::from_utf8_lossy(bytes.data())),
        // Exact in the text, if not as a floating-point number.
        Field::Long(value) => Cell::parse(&value.to_string()),
        Field::ULong(value) => Cell::parse(&value.to_string()),
        other => match number(&other).filter(|value| value.is_finite()) {
            Some(value) => Cell::Number(value),
            None if number(&other).is_some() => Cell::Empty,
            None => Cell::text(&other.to_string()),
        },
    }))
}

fn number(field: &Field) -> Option<f64> {
    Some(match field {
        Field::Byte(value) => f64::from(*value),
        Field::Short(value) => f64::from(*value),
        Field::Int(value) => f64::from(*value),
        Field::Long(value) => *value as f64,
        Field::UByte(value) => f64::from(*value),
        Field::UShort(value) => f64::from(*value),
        Field::UInt(value) => f64::from(*value),
        Field::ULong(value) => *value as f64,
        Field::Float16(value) => f64::from(value.to_f32()),
        Field::Float(value) => f64::from(*value),
        Field::Double(value) => *value,
        _ => return None,
    })
}
