// The contents of files, in chunks of about a quarter of a mebibyte (developer-api.md 6), and who else needs a file.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE file_chunks (
      storage_key text NOT NULL,
      part integer NOT NULL,
      bytes bytea NOT NULL,
      PRIMARY KEY (storage_key, part)
    )`
  // Contents are often compressed already.
  yield* sql`ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL`
  // A run's variables hold files that hang on no record (yet); `holder` names the run.
  yield* sql`
    CREATE TABLE file_holds (
      file_id bigint NOT NULL,
      holder text NOT NULL,
      PRIMARY KEY (holder, file_id)
    )`
  yield* sql`CREATE INDEX file_holds_file ON file_holds (file_id)`
})
