// The records platform (developer-api.md 3 to 6). Hot tables (records, revisions, links) carry no foreign keys: writers
// hold the app's row `FOR KEY SHARE`, whoever changes or deletes the app holds it `FOR UPDATE`.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `version` grows with every change of the definition (app, fields, order) and keys the in-process cache.
  yield* sql`
    CREATE TABLE apps (
      app_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL REFERENCES organizations,
      workspace_id bigint NOT NULL REFERENCES workspaces,
      slug text NOT NULL,
      name text NOT NULL,
      item_name text NOT NULL,
      description text,
      icon jsonb, item_icon jsonb,
      position integer NOT NULL,
      version integer NOT NULL DEFAULT 1,
      created_on timestamptz NOT NULL,
      UNIQUE (workspace_id, slug)
    )`
  yield* sql`CREATE INDEX apps_org ON apps (org_id)`
  // Apart from the app's row, since every record create updates it. app_record_ids are dense and never reused.
  yield* sql`
    CREATE TABLE app_counters (
      app_id bigint PRIMARY KEY REFERENCES apps ON DELETE CASCADE,
      last_app_record_id bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 10)`
  // Option ids are unique over all fields, so that an option of another field is told apart (4.3 rule 3).
  yield* sql`
    CREATE TABLE fields (
      field_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      slug text NOT NULL,
      field_type text NOT NULL,
      label text NOT NULL,
      description text,
      required boolean NOT NULL DEFAULT false,
      hidden_if_empty boolean NOT NULL DEFAULT false,
      always_hidden boolean NOT NULL DEFAULT false,
      position integer NOT NULL,
      settings jsonb NOT NULL DEFAULT '{}',
      created_on timestamptz NOT NULL,
      UNIQUE (app_id, slug)
    )`
  yield* sql`CREATE SEQUENCE option_ids`
  // Ids of checklist, email, phone and link entries; a process draws a block of 1000.
  yield* sql`CREATE SEQUENCE entry_ids INCREMENT BY 1000`
  // `cells`: src/platform/primitives/Cell.ts. `title` is null where the title-capable field is empty (4.1).
  // `created_by`, `last_modified_by`: an Author.
  yield* sql`
    CREATE TABLE records (
      record_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      app_id bigint NOT NULL,
      org_id bigint NOT NULL,
      app_record_id bigint NOT NULL,
      title text,
      revision integer NOT NULL DEFAULT 0,
      cells jsonb NOT NULL,
      comment_count integer NOT NULL DEFAULT 0,
      created_on timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      last_modified_on timestamptz,
      last_modified_by jsonb,
      deleted_on timestamptz,
      deleted_by jsonb
    ) WITH (fillfactor = 90)`
  yield* sql`CREATE UNIQUE INDEX records_app_number ON records (app_id, app_record_id)`
  yield* sql`CREATE INDEX records_live ON records (app_id, record_id DESC) WHERE deleted_on IS NULL`
  yield* sql`CREATE INDEX records_trash ON records (app_id, deleted_on DESC, record_id DESC) WHERE deleted_on IS NOT NULL`
  yield* sql`CREATE INDEX records_purge ON records (deleted_on) WHERE deleted_on IS NOT NULL`
  // What the relation fields of a record point to; the order is in `cells`.
  yield* sql`
    CREATE TABLE record_links (
      record_id bigint NOT NULL,
      field_id bigint NOT NULL,
      target_id bigint NOT NULL,
      PRIMARY KEY (record_id, field_id, target_id)
    )`
  yield* sql`CREATE INDEX record_links_target ON record_links (target_id, field_id, record_id)`
  yield* sql`CREATE INDEX record_links_field ON record_links (field_id)`
  // `delta`: by field id { from: Cell, to: Cell }, empty for deletion and restore (4.5).
  yield* sql`
    CREATE TABLE revisions (
      record_id bigint NOT NULL,
      revision integer NOT NULL,
      type text NOT NULL CHECK (type IN ('creation', 'update', 'deletion', 'restore')),
      created_on timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      delta jsonb NOT NULL,
      PRIMARY KEY (record_id, revision)
    )`
  yield* sql`
    CREATE TABLE views (
      view_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      name text NOT NULL,
      is_default boolean NOT NULL DEFAULT false,
      layout text NOT NULL CHECK (layout IN ('table', 'list', 'board')),
      private boolean NOT NULL DEFAULT false,
      sort_by bigint,
      sort_desc boolean NOT NULL DEFAULT false,
      filters jsonb NOT NULL DEFAULT '[]',
      fields jsonb, split_by jsonb, show_progress jsonb, "table" jsonb, board jsonb,
      created_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX views_app ON views (app_id, view_id)`
  yield* sql`CREATE UNIQUE INDEX views_one_default ON views (app_id) WHERE is_default`
  yield* sql`
    CREATE TABLE comments (
      comment_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      record_id bigint NOT NULL,
      app_id bigint NOT NULL,
      value text NOT NULL,
      reply_count integer NOT NULL DEFAULT 0,
      created_on timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      edited_on timestamptz
    )`
  yield* sql`CREATE INDEX comments_record ON comments (record_id, comment_id)`
  yield* sql`CREATE INDEX comments_app ON comments (app_id)`
  yield* sql`
    CREATE TABLE replies (
      reply_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      comment_id bigint NOT NULL REFERENCES comments ON DELETE CASCADE,
      value text NOT NULL,
      created_on timestamptz NOT NULL,
      created_by jsonb NOT NULL,
      edited_on timestamptz
    )`
  yield* sql`CREATE INDEX replies_comment ON replies (comment_id, reply_id)`
  // Uploaded, then attached: attaching spends the temporary id (6 rule 2). `storage_key` names the content.
  yield* sql`
    CREATE TABLE files (
      file_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL REFERENCES organizations,
      temporary_id text UNIQUE,
      uploaded_by bigint NOT NULL,
      name text NOT NULL,
      size bigint NOT NULL,
      mimetype text NOT NULL,
      storage_key text NOT NULL,
      created_on timestamptz NOT NULL,
      attached_on timestamptz
    )`
  yield* sql`CREATE INDEX files_temporary ON files (created_on) WHERE temporary_id IS NOT NULL`
  // Where a file hangs: a field of the record, or a comment or reply below it. A file without a row here may go.
  yield* sql`
    CREATE TABLE file_links (
      file_id bigint NOT NULL,
      record_id bigint NOT NULL,
      field_id bigint,
      comment_id bigint,
      reply_id bigint,
      UNIQUE NULLS NOT DISTINCT (record_id, field_id, comment_id, reply_id, file_id)
    )`
  yield* sql`CREATE INDEX file_links_file ON file_links (file_id)`
  yield* sql`CREATE INDEX file_links_comment ON file_links (comment_id) WHERE comment_id IS NOT NULL`
  yield* sql`CREATE INDEX file_links_reply ON file_links (reply_id) WHERE reply_id IS NOT NULL`
})
