//! Tables as Parquet, which pandas, polars and DuckDB open as they are.
//!
//! Columns are plain: whole numbers of 64 bits, doubles, booleans and UTF-8 texts, each with or
//! without a value. What columns mean, and what was done, is in the metadata of the file under the
//! key [`METADATA`], as JSON. Equal tables give equal bytes.

use std::io::Write;
use std::panic::catch_unwind;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use crate::frame::{Column, Data, Frame};

/// The key of what is told of the file in its metadata.
pub const METADATA: &str = "driftlock";
/// How many rows stand together.
const GROUP: usize = 1 << 20;

/// Write a table, with a text for [`METADATA`].
pub fn write(
    frame: &Frame,
    metadata: &str,
    version: &str,
    to: impl Write + Send,
) -> Result<(), ParquetError> {
    let told = KeyValue::new(METADATA.to_owned(), metadata.to_owned());
    let properties = WriterProperties::builder()
        .set_created_by(format!("driftlock {version}"))
        .set_compression(Compression::UNCOMPRESSED)
        .set_key_value_metadata(Some(vec![told]))
        .build();
    let mut file = SerializedFileWriter::new(to, schema(frame)?, Arc::new(properties))?;
    for from in (0..frame.rows()).step_by(GROUP) {
        let until = frame.rows().min(from + GROUP);
        let mut group = file.next_row_group()?;
        for column in &frame.columns {
            let mut writer = group.next_column()?.expect("there is a writer for each column");
            write_column(&mut writer, &column.data, from, until)?;
            writer.close()?;
        }
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn schema(frame: &Frame) -> Result<TypePtr, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.data {
            Data::Int(_) => (Physical::INT64, None),
            Data::Float(_) => (Physical::DOUBLE, None),
            Data::Bool(_) => (Physical::BOOLEAN, None),
            Data::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()?;
        Ok(Arc::new(field))
    };
    let fields = frame.columns.iter().map(field).collect::<Result<Vec<TypePtr>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder("results").with_fields(fields).build()?))
}

fn write_column(
    writer: &mut SerializedColumnWriter<'_>,
    data: &Data,
    from: usize,
    until: usize,
) -> Result<(), ParquetError> {
    match data {
        Data::Int(values) => write_values::<Int64Type>(writer, &values[from..until]),
        Data::Float(values) => write_values::<DoubleType>(writer, &values[from..until]),
        Data::Bool(values) => write_values::<BoolType>(writer, &values[from..until]),
        Data::Text(values) => {
            let bytes = |text: &Option<String>| text.as_ref().map(|text| ByteArray::from(&**text));
            let texts: Vec<Option<ByteArray>> = values[from..until].iter().map(bytes).collect();
            write_values::<ByteArrayType>(writer, &texts)
        }
    }
}

fn write_values<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[Option<T::T>],
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let present: Vec<T::T> = values.iter().flatten().cloned().collect();
    writer.typed::<T>().write_batch(&present, Some(&levels), None)?;
    Ok(())
}

/// Read a table that [`write()`] has written.
///
/// The reader below panics at some files that are damaged. Here they are refused; a panic hook that
/// is to keep still has to know of it.
pub fn read(bytes: Vec<u8>) -> Result<Frame, ParquetError> {
    let damaged = || ParquetError::General("it is damaged".into());
    catch_unwind(|| read_sound(bytes)).unwrap_or_else(|_| Err(damaged()))
}

fn read_sound(bytes: Vec<u8>) -> Result<Frame, ParquetError> {
    let file = SerializedFileReader::new(Bytes::from(bytes))?;
    let schema = file.metadata().file_metadata().schema_descr_ptr();
    let empty = schema.columns().iter().map(|column| empty(column.physical_type()));
    let mut all: Vec<Data> = empty.collect::<Result<_, ParquetError>>()?;
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (at, data) in all.iter_mut().enumerate() {
            append(data, read_column(group.get_column_reader(at)?, rows)?)?;
        }
    }
    let names = schema.columns().iter().map(|column| column.name().to_owned());
    let columns = names.zip(all).map(|(name, data)| Column { name, data });
    let frame = Frame { columns: columns.collect() };
    let rows = frame.rows();
    match frame.columns.iter().all(|column| column.data.len() == rows) {
        true => Ok(frame),
        false => Err(ParquetError::General("its columns differ in length".into())),
    }
}

/// A column of a type, with nothing in it.
fn empty(physical: Physical) -> Result<Data, ParquetError> {
    match physical {
        Physical::INT64 => Ok(Data::Int(Vec::new())),
        Physical::DOUBLE => Ok(Data::Float(Vec::new())),
        Physical::BOOLEAN => Ok(Data::Bool(Vec::new())),
        Physical::BYTE_ARRAY => Ok(Data::Text(Vec::new())),
        _ => Err(ParquetError::General("a column has a type that results do not have".into())),
    }
}

fn append(all: &mut Data, more: Data) -> Result<(), ParquetError> {
    match (all, more) {
        (Data::Int(all), Data::Int(more)) => all.extend(more),
        (Data::Float(all), Data::Float(more)) => all.extend(more),
        (Data::Bool(all), Data::Bool(more)) => all.extend(more),
        (Data::Text(all), Data::Text(more)) => all.extend(more),
        _ => return Err(ParquetError::General("a column changes its type".into())),
    }
    Ok(())
}

fn read_column(reader: ColumnReader, rows: usize) -> Result<Data, ParquetError> {
    macro_rules! values {
        ($reader:expr) => {{
            let (mut reader, mut values, mut levels) = ($reader, Vec::new(), Vec::new());
            while levels.len() < rows {
                let (records, ..) = reader.read_records(
                    rows - levels.len(),
                    Some(&mut levels),
                    None,
                    &mut values,
                )?;
                if records == 0 {
                    break;
                }
            }
            let mut values = values.into_iter();
            let each = levels.iter().map(|&level| if level > 0 { values.next() } else { None });
            each.collect::<Vec<_>>()
        }};
    }
    match reader {
        ColumnReader::Int64ColumnReader(reader) => Ok(Data::Int(values!(reader))),
        ColumnReader::DoubleColumnReader(reader) => Ok(Data::Float(values!(reader))),
        ColumnReader::BoolColumnReader(reader) => Ok(Data::Bool(values!(reader))),
        ColumnReader::ByteArrayColumnReader(reader) => {
            let text = |bytes: ByteArray| bytes.as_utf8().map(str::to_owned);
            let texts = values!(reader).into_iter().map(|bytes| bytes.map(text).transpose());
            Ok(Data::Text(texts.collect::<Result<_, ParquetError>>()?))
        }
        _ => Err(ParquetError::General("a column has a type that results do not have".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        let text = |word: &str| Some(word.to_owned());
        let column = |name: &str, data: Data| Column { name: name.into(), data };
        Frame {
            columns: vec![
                column("cell", Data::Int(vec![Some(1), Some(i64::MIN), None])),
                column("rate", Data::Float(vec![Some(0.1 + 0.2), None, Some(-1e300)])),
                column("protocol", Data::Text(vec![text("rl"), None, text("naïve")])),
                column("together", Data::Bool(vec![None, Some(true), Some(false)])),
                column("nothing", Data::Float(vec![None, None, None])),
            ],
        }
    }

    fn bytes(frame: &Frame) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(frame, "{}", "1", &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn what_is_written_is_read_and_the_bytes_are_the_same_again() {
        let bytes = bytes(&frame());
        assert_eq!(bytes, self::bytes(&frame()));
        assert_eq!(read(bytes.clone()).unwrap(), frame());
        for end in 0..bytes.len() {
            assert!(read(bytes[..end].to_vec()).is_err(), "{end}");
        }
        let none = Data::Int(Vec::new());
        let empty = Frame { columns: vec![Column { name: "cell".into(), data: none }] };
        assert_eq!(read(self::bytes(&empty)).unwrap(), empty);
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        driftlock_fuzz::fuzz!(20_000, &[bytes(&frame())], |bytes| {
            if let Ok(frame) = read(bytes.to_vec()) {
                assert!(frame.columns.iter().all(|column| column.data.len() == frame.rows()));
            }
        });
    }
}
