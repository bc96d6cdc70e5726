// SPDX-License-Identifier: Apache-2.0
// The database names no folder, only the file beside it: a set moves with its folder. It is no WAL
// database, since MindSpore opens it through a VFS without shared memory.
#include "shard/mindrecord_index.h"

#include <cstring>
#include <utility>

#include <sqlite3.h>

#include "base/error.h"

namespace headrace::shard {
namespace {

constexpr std::string_view kRowColumns =
    "ROW_ID,PAGE_ID_RAW,PAGE_OFFSET_RAW,PAGE_OFFSET_RAW_END,ROW_GROUP_ID,PAGE_ID_BLOB,"
    "PAGE_OFFSET_BLOB,PAGE_OFFSET_BLOB_END";
constexpr int kRowColumnCount = 8;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct CloseStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

class Database {
 public:
  static Result<Database> open(const std::string& path, int flags) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
    Database opened(path, database);
    if (code != SQLITE_OK) return opened.failed("opening it");
    return opened;
  }

  Result<void> run(const std::string& sql) {
    if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) {
      return {};
    }
    return failed(sql.substr(0, 40));
  }

  using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;
  Result<Statement> prepare(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
      return failed(sql.substr(0, 40));
    }
    return Statement(statement);
  }

  Result<void> close() {
    const int code = sqlite3_close(database_.get());
    if (code != SQLITE_OK) return failed("closing it");
    (void)database_.release();
    return {};
  }

  Status failed(std::string_view doing) const {
    sqlite3* database = database_.get();
    const char* why = database == nullptr ? "out of memory" : sqlite3_errmsg(database);
    const int code = database == nullptr ? SQLITE_NOMEM : sqlite3_errcode(database);
    if (code == SQLITE_FULL) return resource_exhausted("{}: {}: {}", path_, doing, why);
    if (code == SQLITE_CANTOPEN || code == SQLITE_IOERR) {
      return unavailable("{}: {}: {}", path_, doing, why);
    }
    return corrupt("{}: {}: {}", path_, doing, why);
  }

 private:
  Database(std::string path, sqlite3* database) : path_(std::move(path)), database_(database) {}
  std::string path_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
};

std::string_view sql_type(FieldType type) {
  switch (type) {
    case FieldType::kString:
      return "TEXT";
    case FieldType::kInt32:
    case FieldType::kInt64:
      return "INTEGER";
    default:
      return "REAL";
  }
}

template <class T>
T load(std::string_view value) {
  T loaded;
  std::memcpy(&loaded, value.data(), sizeof(T));
  return loaded;
}

// Not "bind": with a std::string, std::bind would be the better match.
void bind_value(sqlite3_stmt* statement, int place, FieldType type, std::string_view value) {
  switch (type) {
    case FieldType::kString:
      sqlite3_bind_text64(statement, place, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
      break;
    case FieldType::kInt32:
      sqlite3_bind_int64(statement, place, load<std::int32_t>(value));
      break;
    case FieldType::kInt64:
      sqlite3_bind_int64(statement, place, load<std::int64_t>(value));
      break;
    case FieldType::kFloat32:
      sqlite3_bind_double(statement, place, static_cast<double>(load<float>(value)));
      break;
    default:
      sqlite3_bind_double(statement, place, load<double>(value));
      break;
  }
}

class Writer final : public MindRecordIndexWriter {
 public:
  Writer(Database database, std::vector<Field> fields)
      : database_(std::move(database)), fields_(std::move(fields)) {}

  Result<void> start(const std::string& main_name) {
    std::string table =
        "CREATE TABLE INDEXES(  ROW_ID INT NOT NULL, PAGE_ID_RAW INT NOT NULL, PAGE_OFFSET_RAW INT "
        "NOT NULL, PAGE_OFFSET_RAW_END INT NOT NULL, ROW_GROUP_ID INT NOT NULL, PAGE_ID_BLOB INT "
        "NOT NULL, PAGE_OFFSET_BLOB INT NOT NULL, PAGE_OFFSET_BLOB_END INT NOT NULL";
    std::string key = "ROW_ID";
    std::string insert = fmt::format("INSERT INTO INDEXES({}", kRowColumns);
    std::string marks = "?,?,?,?,?,?,?,?";
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      table += fmt::format(",INC_{} INT, {}_0 {}", i, fields_[i].name, sql_type(fields_[i].type));
      key += fmt::format(",INC_{}", i);
      insert += fmt::format(",INC_{},{}_0", i, fields_[i].name);
      marks += ",0,?";
    }
    // The temporary name is nobody's until it is committed: no journal, no waiting for the disk.
    HEADRACE_RETURN_IF_ERROR(database_.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF"));
    HEADRACE_RETURN_IF_ERROR(database_.run("BEGIN"));
    HEADRACE_RETURN_IF_ERROR(database_.run(fmt::format("{}, PRIMARY KEY({}))", table, key)));
    HEADRACE_RETURN_IF_ERROR(database_.run("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)"));
    HEADRACE_ASSIGN_OR_RETURN(Database::Statement name,
                              database_.prepare("INSERT INTO SHARD_NAME VALUES(?)"));
    bind_value(name.get(), 1, FieldType::kString, main_name);
    if (sqlite3_step(name.get()) != SQLITE_DONE) return database_.failed("writing the name");
    HEADRACE_ASSIGN_OR_RETURN(insert_,
                              database_.prepare(fmt::format("{}) VALUES({})", insert, marks)));
    return {};
  }

  Result<void> add(const MindRecordRow& row, FieldValues values) override {
    const std::uint64_t numbers[kRowColumnCount] = {rows_,          row.raw.page, row.raw.begin,
                                                    row.raw.end,    row.group,    row.blob.page,
                                                    row.blob.begin, row.blob.end};
    sqlite3_stmt* insert = insert_.get();
    for (int i = 0; i < kRowColumnCount; ++i) {
      sqlite3_bind_int64(insert, i + 1, static_cast<sqlite3_int64>(numbers[i]));
    }
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      bind_value(insert, kRowColumnCount + 1 + static_cast<int>(i), fields_[i].type, values[i]);
    }
    if (sqlite3_step(insert) != SQLITE_DONE) return database_.failed("writing a row");
    sqlite3_reset(insert);
    ++rows_;
    return {};
  }

  Result<void> close() override {
    insert_.reset();
    HEADRACE_RETURN_IF_ERROR(database_.run("COMMIT"));
    return database_.close();
  }

 private:
  Database database_;
  const std::vector<Field> fields_;
  Database::Statement insert_;
  std::uint64_t rows_ = 0;
};

Result<void> check_name(Database& database, const std::string& path, const std::string& main_name) {
  HEADRACE_ASSIGN_OR_RETURN(const Database::Statement statement,
                            database.prepare("SELECT NAME FROM SHARD_NAME"));
  if (sqlite3_step(statement.get()) != SQLITE_ROW) return database.failed("reading the name");
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0));
  const std::string name = text == nullptr ? "" : text;
  if (name == main_name) return {};
  return invalid_argument(
      "{}: it is the index of '{}', not of '{}': a MindRecord file cannot be renamed (its folder "
      "can); give it its old name, or write it again",
      path, name, main_name);
}

}  // namespace

Result<std::unique_ptr<MindRecordIndexWriter>> MindRecordIndexWriter::create(
    const std::string& path, const std::string& main_name, const std::vector<Field>& fields) {
  HEADRACE_ASSIGN_OR_RETURN(
      Database database,
      Database::open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX));
  auto writer = std::make_unique<Writer>(std::move(database), fields);
  HEADRACE_RETURN_IF_ERROR(writer->start(main_name));
  return writer;
}

Result<std::vector<MindRecordRow>> read_mindrecord_index(const std::string& path,
                                                         const std::string& main_name) {
  HEADRACE_ASSIGN_OR_RETURN(Database database,
                            Database::open(path, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX));
  HEADRACE_RETURN_IF_ERROR(check_name(database, path, main_name));
  HEADRACE_ASSIGN_OR_RETURN(
      const Database::Statement statement,
      database.prepare(fmt::format("SELECT {} FROM INDEXES ORDER BY ROW_ID", kRowColumns)));
  std::vector<MindRecordRow> rows;
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
    std::uint64_t numbers[kRowColumnCount];
    for (int i = 0; i < kRowColumnCount; ++i) {
      // A negative number becomes one that is too large for any page.
      numbers[i] = static_cast<std::uint64_t>(sqlite3_column_int64(statement.get(), i));
    }
    if (numbers[0] != rows.size()) {
      return corrupt("{}: row {} of the index has the number {}", path, rows.size(), numbers[0]);
    }
    rows.push_back(
        {{numbers[1], numbers[2], numbers[3]}, numbers[4], {numbers[5], numbers[6], numbers[7]}});
  }
  if (code != SQLITE_DONE) return database.failed("reading the rows");
  return rows;
}

}  // namespace headrace::shard
