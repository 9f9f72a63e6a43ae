// developer-api.md 11.4: files and images convert into each other. Entries stay the same files, so that what fits comes back as it was.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { targetsOf } from "../../../../src/domain/records/conversion/conversionTable.ts"
import { App } from "../../../support/app.ts"
import { ORIGIN } from "../../../support/oauth.ts"
import { conversionLayer, valued } from "./support.ts"

const types = ["single_attachment", "multi_attachment", "multi_image"]
const pairs = types.flatMap((from) => targetsOf(from).map((to) => ({ from, to: to as string })))

const PNG = { name: "a.png", type: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] }
const TEXT = { name: "b.txt", type: "text/plain", bytes: [104, 105] }

const uploadTo = Effect.fnUntraced(function* (key: string, { bytes, name, type }: typeof PNG) {
  const app = yield* App
  const body = new FormData()
  body.append("file", new Blob([new Uint8Array(bytes)], { type }), name)
  const request = new Request(`${ORIGIN}/v1/file/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body
  })
  const answer = yield* Effect.flatMap(app.fetch(request), (response) => Effect.promise(() => response.json()))
  return (answer as { file_id: string }).file_id
})

/** Reason for which a value of the pair has none of the new type. */
const problemOf = (to: string, files: ReadonlyArray<typeof PNG>) =>
  to === "single_attachment" && files.length > 1
    ? "has 2 entries, and the new type holds one"
    : to === "multi_image" && files.includes(TEXT)
      ? "takes jpeg, png, gif, tiff, svg, bmp and webp images only, not text/plain"
      : null

layer(conversionLayer, { excludeTestServices: true })("developer-api.md 11.4: files", (it) => {
  for (const { from, to } of pairs)
    it.effect(`${from} to ${to}: what fits is the same file, and back it is as it was`, () =>
      Effect.gen(function* () {
        const { call, converted, convert, fieldId, owner, recordIds, shown, sql } = yield* valued(from, undefined, [
          ...[null, null, null]
        ])
        const contents = [[PNG], [TEXT], [PNG, PNG]].filter(
          (files) => from !== "single_attachment" || files.length === 1
        )
        const valuesOf = contents.filter((files) => from !== "multi_image" || !files.includes(TEXT))
        for (const [at, files] of valuesOf.entries()) {
          const value = yield* Effect.forEach(files, (file) => uploadTo(owner.key, file))
          const reply = yield* call("PUT", `/v1/record/${recordIds[at]}`, {
            fields: { value: from === "single_attachment" ? value[0] : value }
          })
          assert.strictEqual(reply.status, 200, reply.text)
        }
        const idsOf = Effect.map(shown, (records) => records.map((one) => one.map(({ value }) => value.id)))
        const linksOf = Effect.map(
          sql<{ ids: ReadonlyArray<number> }>`
            SELECT coalesce((SELECT array_agg(file_id::int ORDER BY file_id) FROM file_links l
              WHERE l.record_id = r.record_id AND l.field_id = ${fieldId}), '{}') AS ids
            FROM records r WHERE record_id = ANY(${recordIds.map(String)}::bigint[]) ORDER BY record_id`,
          (rows) => rows.map(({ ids }) => ids)
        )
        const formerIds = yield* idsOf
        const problems = valuesOf.map((files) => problemOf(to, files))
        const fits = formerIds.map((ids, at) => ((problems[at] ?? null) === null ? ids : []))
        const failed = problems.flatMap((message, at) =>
          message === null ? [] : [{ id: String(recordIds[at]), message }]
        )
        const counts = {
          converted: valuesOf.length - failed.length,
          unconvertible: failed.length,
          empty: recordIds.length - valuesOf.length
        }
        assert.deepInclude((yield* convert({ field_type: to, dry_run: true })).json.outcome, counts)
        const job = yield* converted({ field_type: to })
        assert.deepStrictEqual([job.status, job.counts, job.report], ["completed", counts, failed])
        assert.deepStrictEqual([yield* idsOf, yield* linksOf], [fits, fits])
        const backConversion = yield* converted({ field_type: from })
        assert.strictEqual(backConversion.counts.converted, counts.converted)
        assert.deepStrictEqual([yield* idsOf, yield* linksOf], [fits, fits])
        // History has what did not fit, as the type that it had.
        const firstRevision = (yield* call("GET", `/v1/record/${recordIds[1]}/revision/1`)).json.fields[1]
        assert.deepStrictEqual(
          [firstRevision.field_type, firstRevision.values.map(({ value }: any) => value.id)],
          [from, formerIds[1]]
        )
      })
    )
})
