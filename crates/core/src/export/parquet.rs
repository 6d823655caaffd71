//! Embeddings as a Parquet table: a row for each node, keyed by its id.

use std::io;
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, FloatType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

/// A table with the column `id` and, for each named matrix of this width, the columns
/// NAME0, NAME1, …
pub(super) fn embeddings<'a>(
    ids: impl Iterator<Item = &'a str>,
    width: usize,
    matrices: &[(&str, &[f32])],
) -> io::Result<Vec<u8>> {
    table(ids, width, matrices).map_err(io::Error::other)
}

fn table<'a>(
    ids: impl Iterator<Item = &'a str>,
    width: usize,
    matrices: &[(&str, &[f32])],
) -> Result<Vec<u8>, ParquetError> {
    let names = matrices.iter().flat_map(|(name, _)| (0..width).map(move |at| (*name, at)));
    let mut fields = vec![column("id", Physical::BYTE_ARRAY, Some(LogicalType::String))?];
    for (name, at) in names {
        fields.push(column(&format!("{name}{at}"), Physical::FLOAT, None)?);
    }
    let schema = Type::group_type_builder("embeddings").with_fields(fields).build()?;
    // Random-looking numbers do not compress, and need no dictionary.
    let properties = WriterProperties::builder()
        .set_compression(Compression::UNCOMPRESSED)
        .set_dictionary_enabled(false)
        .build();
    let mut out = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut out, Arc::new(schema), Arc::new(properties))?;
    let mut rows = writer.next_row_group()?;
    let ids: Vec<ByteArray> = ids.map(ByteArray::from).collect();
    if let Some(mut column) = rows.next_column()? {
        column.typed::<ByteArrayType>().write_batch(&ids, None, None)?;
        column.close()?;
    }
    for (_, values) in matrices {
        for at in 0..width {
            let numbers: Vec<f32> = values.iter().skip(at).step_by(width).copied().collect();
            if let Some(mut column) = rows.next_column()? {
                column.typed::<FloatType>().write_batch(&numbers, None, None)?;
                column.close()?;
            }
        }
    }
    rows.close()?;
    writer.close()?;
    Ok(out)
}

fn column(
    name: &str,
    physical: Physical,
    logical: Option<LogicalType>,
) -> Result<Arc<Type>, ParquetError> {
    let builder = Type::primitive_type_builder(name, physical);
    let column = builder.with_repetition(Repetition::REQUIRED).with_logical_type(logical);
    Ok(Arc::new(column.build()?))
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    #[test]
    fn a_table_has_a_row_for_each_node_and_a_column_for_each_dimension() {
        let (x, r) = ([0.5, -1.0, 2.0, 3.0, 4.0, 5.0], [0.25, 0.0, 1.0, 1.5, -2.0, 7.0]);
        let ids = ["a", "naïve", "c,d"];
        let bytes = embeddings(ids.into_iter(), 2, &[("x", &x), ("R", &r)]).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let reader = SerializedFileReader::new(file.reopen().unwrap()).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let names: Vec<String> = schema.columns().iter().map(|own| own.name().to_owned()).collect();
        assert_eq!(names, ["id", "x0", "x1", "R0", "R1"]);
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 3);
        for (at, row) in rows.iter().enumerate() {
            assert_eq!(row.get_string(0).unwrap(), ids[at]);
            let numbers: Vec<f32> = (1..5).map(|field| row.get_float(field).unwrap()).collect();
            assert_eq!(numbers, [x[2 * at], x[2 * at + 1], r[2 * at], r[2 * at + 1]]);
        }
    }

    #[test]
    fn no_nodes_give_an_empty_table() {
        let bytes = embeddings(std::iter::empty(), 3, &[("x", &[]), ("R", &[])]).unwrap();
        assert!(bytes.starts_with(b"PAR1"));
    }
}
