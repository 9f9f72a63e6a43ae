// A second POST within one attempt, after a 401 and with a renewed token, is an execution of its own (decisions W1, W4): it takes a place
// in the window of the app, and in that of the hook where it has one. Where none is left, the retry comes as after any failure.
import { Effect } from "effect"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"

export const makeAnother = Effect.map(
  Sql,
  (sql) => (appId: number, hookId: number) =>
    sql`
      WITH own AS (
        SELECT h.hook_id FROM hooks h LEFT JOIN hook_windows w USING (hook_id)
        WHERE h.hook_id = ${hookId} AND (h.per_minute IS NULL OR w.used < h.per_minute)
      ), taken AS (
        UPDATE webhook_windows SET used = used + 1 WHERE app_id = ${appId} AND used < cap AND EXISTS (SELECT 1 FROM own)
        RETURNING 1
      ), counted AS (
        UPDATE hook_windows SET used = used + 1 WHERE hook_id = ${hookId} AND EXISTS (SELECT 1 FROM taken)
      )
      SELECT 1 FROM taken`.pipe(
      Effect.map((rows) => rows.length > 0),
      orSqlDefect
    )
)
