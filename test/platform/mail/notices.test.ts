// Notices by mail (decisions W1, A22): each organization's in order, none behind another's mail server.
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { type NoticeKind, type NoticeMail, tellNotices } from "../../../src/platform/mail/notices.ts"
import { ddl, layerDatabase } from "../../support/database.ts"

it.live("an organization's notices go out in order while another's mail server takes its time (A22)", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* ddl(
      "CREATE TABLE notices_of_test (notice_id bigint PRIMARY KEY, org_id bigint NOT NULL, claimed_until timestamptz)"
    )
    yield* sql`INSERT INTO notices_of_test (notice_id, org_id) VALUES (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)`
    const kind: NoticeKind = {
      table: "notices_of_test",
      mail: (id) =>
        Effect.map(
          sql<{ org_id: number }>`SELECT org_id FROM notices_of_test WHERE notice_id = ${String(id)}::bigint`,
          ([row]) => ({ orgId: row!.org_id, to: [], subject: "", text: "", messageId: String(id) })
        )
    }
    const noticeIds: Array<string> = []
    const slow = yield* Deferred.make<void>()
    const laterSent = yield* Deferred.make<void>()
    const send = ({ messageId, orgId }: NoticeMail) =>
      Effect.gen(function* () {
        if (orgId === 1) yield* Deferred.await(slow)
        if (orgId === 3) return yield* Effect.fail({ message: "not now" })
        noticeIds.push(messageId)
        if (messageId === "4") yield* Deferred.succeed(laterSent, undefined)
      })
    const round = yield* Effect.forkChild(tellNotices(kind, send))
    yield* Deferred.await(laterSent)
    assert.deepStrictEqual(noticeIds, ["3", "4"])
    yield* Deferred.succeed(slow, undefined)
    assert.strictEqual(yield* Fiber.join(round), 4)
    assert.deepStrictEqual(noticeIds, ["3", "4", "1", "2"])
    const remainingRows = yield* sql`SELECT notice_id, claimed_until FROM notices_of_test`
    assert.deepStrictEqual(remainingRows, [{ notice_id: 5, claimed_until: null }])
  }).pipe(Effect.provide(layerDatabase))
)
