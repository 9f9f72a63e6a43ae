// Looks up the mentions of cells in a batch: users, automations, live records, files (developer-api.md 4.3 rules 3, 6). Previews of related
// records are found whatever content a credential selects (1.7).
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { findBatched } from "../../../platform/sql/dataLoader.ts"
import { idListParameter } from "../../../platform/sql/listParameters.ts"
import { rowsByKey, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import {
  AutomationAuthor,
  FileView,
  type Found,
  type Mentions,
  mentionsNothing,
  nothingFound,
  RecordPreview,
  type UserView
} from "../fields/model/Field.ts"

/** Signed address of an attached file's content; the files folder provides it. */
export const DownloadUrl = Context.Reference<(fileId: number) => Effect.Effect<string>>(
  "millrace/records/DownloadUrl",
  {
    defaultValue: () => (fileId) => Effect.succeed(`/v1/file/${fileId}`)
  }
)

/** Columns and tables of users as records show them (`userView`). */
export const userColumns = "u.user_id, p.email, u.image, u.name"
export const userTables = "users u JOIN people p USING (person_id)"

const UserRow = Schema.Struct({
  user_id: Schema.Int,
  email: Schema.String,
  image: Schema.NullOr(Schema.String),
  name: Schema.String
})

/** User of the organization as records show it. */
export const userView = (orgId: number, { email, image, name, user_id }: typeof UserRow.Type): UserView => ({
  user_id,
  mail: [email],
  image,
  name,
  org_id: orgId,
  type: "user"
})

const LookedUser = Schema.Struct({ ...UserRow.fields, org_id: Schema.Int, status: Schema.String })

const FileRow = FileView.mapFields(Struct.omit(["download_url"]))

const Uploaded = Schema.Struct({
  temporary_id: Schema.String,
  filename: Schema.String,
  mimetype: Schema.String
})

export class Lookups extends Context.Service<
  Lookups,
  {
    /** Looks up mentions for reading: includes removed users, since authored data stays. */
    readonly forReading: (orgId: number, mentions: Mentions) => Effect.Effect<Found>
    /** Looks up mentions for checking a write: excludes removed users; finds only the writing user's uploads. */
    readonly forWriting: (orgId: number, mentions: Mentions, userId: number | null) => Effect.Effect<Found>
  }
>()("millrace/records/Lookups") {
  static readonly layer = Layer.effect(
    Lookups,
    Effect.gen(function* () {
      const sql = yield* Sql
      const downloadUrl = yield* DownloadUrl
      const ids = (set: ReadonlySet<number>) => idListParameter(sql, [...set])

      /** Users of any organization: the answers of several callers take one statement. */
      const findUsers = yield* findBatched(sql, (userIds: ReadonlyArray<number>) =>
        rowsByKey(
          LookedUser,
          "user_id",
          (row) => row
        )(sql`
          SELECT ${sql.literal(userColumns)}, u.org_id, u.status FROM ${sql.literal(userTables)}
          WHERE u.user_id IN ${idListParameter(sql, userIds)}`)
      )
      const users = (orgId: number, set: ReadonlySet<number>, removedToo: boolean) =>
        Effect.map(
          Effect.flatMap(findUsers([...set]), (byId) => Effect.all([...set].flatMap((id) => byId.get(id) ?? []))),
          (rows) =>
            rows
              .filter(({ org_id, status }) => org_id === orgId && (removedToo || status !== "removed"))
              .map((row) => userView(orgId, row))
        )
      const automations = (orgId: number, set: ReadonlySet<number>) =>
        rowsOf(AutomationAuthor)(sql`
          SELECT x.automation_id, x.name, 'automation' AS type FROM automations x JOIN apps a USING (app_id)
          WHERE x.automation_id IN ${ids(set)} AND a.org_id = ${orgId}`)
      const records = (orgId: number, set: ReadonlySet<number>) =>
        rowsOf(RecordPreview)(sql`
          SELECT r.record_id, r.app_id, coalesce(r.title, a.item_name || ' #' || r.app_record_id) AS title
          FROM ${ids(set)} AS x (record_id) CROSS JOIN LATERAL (
            SELECT * FROM records r WHERE r.record_id = x.record_id AND r.org_id = ${orgId} OFFSET 0) r JOIN apps a USING (app_id)
          WHERE r.deleted_on IS NULL`)
      const files = (orgId: number, set: ReadonlySet<number>) =>
        Effect.flatMap(
          rowsOf(FileRow)(sql`
            SELECT file_id AS id, name AS filename, size, mimetype FROM files
            WHERE file_id IN ${ids(set)} AND org_id = ${orgId} AND temporary_id IS NULL`),
          (rows) =>
            Effect.forEach(rows, (file) =>
              Effect.map(downloadUrl(file.id), (url): FileView => ({ ...file, download_url: url }))
            )
        )
      const temporary = (orgId: number, set: ReadonlySet<string>, userId: number | null) =>
        rowsOf(Uploaded)(sql`
          SELECT temporary_id, name AS filename, mimetype FROM files
          WHERE temporary_id = ANY(${[...set]}::text[]) AND org_id = ${orgId}
            AND (${userId}::bigint IS NULL OR uploaded_by = ${userId})`)

      /** Skips queries for kinds without mentions. */
      const when = <A, K, E>(
        set: ReadonlySet<unknown>,
        find: () => Effect.Effect<ReadonlyArray<A>, E>,
        key: (row: A) => K
      ) =>
        set.size === 0
          ? Effect.succeed<ReadonlyMap<K, A>>(new Map())
          : Effect.map(find(), (rows): ReadonlyMap<K, A> => new Map(rows.map((row) => [key(row), row])))

      const find = (orgId: number, m: Mentions, removedToo: boolean, userId: number | null) =>
        mentionsNothing(m)
          ? Effect.succeed(nothingFound)
          : Effect.all(
              {
                users: when(
                  m.users,
                  () => users(orgId, m.users, removedToo),
                  (row) => row.user_id
                ),
                automations: when(
                  m.automations,
                  () => automations(orgId, m.automations),
                  (row) => row.automation_id
                ),
                records: when(
                  m.records,
                  () => records(orgId, m.records),
                  (row) => row.record_id
                ),
                files: when(
                  m.files,
                  () => files(orgId, m.files),
                  (row) => row.id
                ),
                temporary: when(
                  m.temporary,
                  () => temporary(orgId, m.temporary, userId),
                  (row) => row.temporary_id
                )
              },
              { concurrency: "unbounded" }
            ).pipe(orSqlDefect)

      return Lookups.of({
        forReading: (orgId, mentions) => find(orgId, mentions, true, null),
        forWriting: (orgId, mentions, userId) => find(orgId, mentions, false, userId)
      })
    })
  )
}
