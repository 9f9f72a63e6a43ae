// Match conditions narrowed in SQL give the evaluator's own answer, on real Postgres (decisions A6, A13).

import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { everything } from "../../../../src/domain/accounts/Authority.ts"
import { AppRecords, targetIn } from "../../../../src/domain/automations/actions/shared/AppRecords.ts"
import { Matching } from "../../../../src/domain/automations/filter/evaluateMany.ts"
import { makeNarrow } from "../../../../src/domain/automations/filter/sqlNarrowing.ts"
import type { Condition, FilterGroup } from "../../../../src/domain/automations/model/Definition.ts"
import { RecordStates } from "../../../../src/domain/automations/model/RecordStates.ts"
import type { RecordState, RunScope } from "../../../../src/domain/automations/model/RunScope.ts"
import {
  fieldKinds,
  fieldTypeAliases,
  metaKinds,
  operatorSets,
  operators
} from "../../../../src/domain/automations/schema/operators.ts"
import { ValuesLive } from "../../../../src/domain/automations/values/resolveValues.ts"
import type { FieldTypeTag } from "../../../../src/domain/records/fields/registry.ts"
import { Definitions } from "../../../../src/domain/records/model/Definitions.ts"
import { appLayer } from "../../../support/app.ts"
import { DEPTH, seedOf } from "../../../support/seed.ts"
import { seedApp } from "../support.ts"
import { cellOf, fieldTypes, type GeneratedOperand, type Operator, operandOf, operatorTokens } from "./generate.ts"

const services = Layer.mergeAll(AppRecords.layer, RecordStates.layer).pipe(
  Layer.provideMerge(Matching.layer),
  Layer.provideMerge(ValuesLive),
  Layer.provideMerge(appLayer())
)

const RECORDS = 120
const TREES = 250 * DEPTH
const computed = ["unique_id", "calculation", "created_at", "last_modified_at", "created_by", "last_modified_by"]
const storedTypes = fieldTypes.filter((type) => !computed.includes(type))
/** Types of which a test needs no expression. */
const usable = fieldTypes.filter((type) => type !== "calculation")

const chunksOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))

const settings = (type: FieldTypeTag) =>
  /category|status/.test(type)
    ? {
        options: ["1", "2", "3", "4"].map((text, index) => ({
          text,
          color: "gray",
          ...(type === "status" ? { means_completed: index % 2 === 1 } : {})
        }))
      }
    : /relation/.test(type)
      ? undefined
      : /date/.test(type) && computed.indexOf(type) < 0
        ? { time: "enabled" }
        : undefined

const scopeOf = (orgId: number, appId: number): RunScope =>
  ({
    run: {
      run_id: "0",
      type: "regular",
      org_id: orgId,
      record_id: null,
      depth: 1,
      root_run_id: "0",
      chain: [],
      created_on: new Date()
    },
    automation: {
      automation_id: 1,
      revision_id: "1",
      name: "Test",
      app_id: appId + 1_000_000,
      workspace_id: 1,
      org_id: orgId,
      timezone: "Australia/Lord_Howe",
      declared: []
    },
    authority: { userId: 1, orgId, reach: everything },
    trigger: { type: "periodic", record: null, previous: null, changed: null },
    simulation: false,
    now: new Date("2026-07-01T12:00:00Z"),
    current: Effect.succeed(null),
    previous: Effect.succeed(null),
    triggering: Effect.succeed(null),
    payload: Effect.succeed(undefined),
    records: () => Effect.succeed([]),
    collected: null,
    loops: [],
    variable: () => Effect.succeed(undefined),
    variables: Effect.succeed([]),
    output: () => Effect.succeed(null),
    mostRecentError: null,
    actionsLeftInHour: Effect.succeed(1)
  }) as unknown as RunScope

layer(services, { excludeTestServices: true })("narrowing of match conditions", (it) => {
  it.effect("SQL and evaluator agree over generated trees, and SQL narrows (A6)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const seed = seedOf("FC_SEED")
      const world = yield* seedApp(
        usable.map((type) => ({
          field_type: type,
          config: {
            label: type,
            ...(type === "status" ? { required: true } : {}),
            ...(settings(type) === undefined ? {} : { settings: settings(type) })
          }
        }))
      )
      const { appId, fields, options, orgId } = world
      // Relations need an app to point to: their own.
      yield* sql`
          UPDATE fields SET settings = ${JSON.stringify({ referenced_apps: [{ app_id: appId }] })}::jsonb
          WHERE app_id = ${appId} AND field_type LIKE '%_relation'`
      const file = yield* Effect.forEach(["a.pdf", "Photo One.png", "b c.txt", "A.PDF"], (name) =>
        Effect.map(
          sql<{ file_id: number }>`
              INSERT INTO files (org_id, uploaded_by, name, size, mimetype, storage_key, created_on)
              VALUES (${orgId}, 1, ${name}, 1, 'text/plain', ${name}, now()) RETURNING file_id`,
          ([row]) => row!.file_id
        )
      )
      const targets = yield* Effect.forEach([1, 2, 3, 4, 5], (n) =>
        Effect.map(
          sql<{ record_id: number }>`
              INSERT INTO records (app_id, org_id, app_record_id, title, cells, created_on, created_by, deleted_on)
              VALUES (${appId}, ${orgId}, ${n + 100_000}, ${`T${n}`}, '{}', now(), '{"type":"user","user_id":1}',
                ${n === 5 ? new Date() : null}) RETURNING record_id`,
          ([row]) => row!.record_id
        )
      )
      yield* sql`UPDATE records SET deleted_on = now() WHERE record_id = ANY(${targets.slice(4).map(String)}::bigint[])`

      /** Ids 1 to 5 of the generators, as the database has them. */
      const idOf = (type: FieldTypeTag, id: number): number => {
        if (/category|status/.test(type)) return options[type]![id - 1] ?? 999_999
        if (/relation/.test(type)) return targets[id - 1]!
        if (/attachment|image/.test(type)) return file[id - 1] ?? 999_999
        return /user/.test(type) ? (id === 1 ? world.owner.userId : 999_000 + id) : id
      }
      const withIds = (type: FieldTypeTag, cell: ReadonlyArray<any>) =>
        /category|status|relation|attachment|image|user/.test(type) ? cell.map((id) => idOf(type, id)) : cell
      const cells = fc.record(
        Object.fromEntries(storedTypes.map((type) => [type, cellOf(type)])) as Record<string, fc.Arbitrary<any>>
      )
      const facts = fc.record({
        created: cellOf("created_at"),
        modified: cellOf("last_modified_at"),
        by: fc.constantFrom(1, 2),
        changedBy: cellOf("last_modified_by")
      })
      const samples = fc.sample(fc.tuple(cells, facts), { seed, numRuns: RECORDS })
      const author = (id: number) =>
        JSON.stringify(
          id > 0 ? { type: "user", user_id: idOf("single_user", id) } : { type: "automation", automation_id: -id }
        )
      for (const [index, [values, { by, changedBy, created, modified }]] of samples.entries()) {
        const recordCells = Object.fromEntries(
          storedTypes.flatMap((type) => {
            const cell = withIds(type, values[type]!)
            return cell.length === 0 ? [] : [[String(fields[type]), cell]]
          })
        )
        const instantOf = (cell: ReadonlyArray<any>) =>
          cell.length === 0 ? null : new Date(`${cell[0].start.replace(" ", "T")}.123Z`)
        yield* sql`
            INSERT INTO records (app_id, org_id, app_record_id, cells, created_on, created_by, last_modified_on, last_modified_by)
            VALUES (${appId}, ${orgId}, ${index + 1}, ${JSON.stringify(recordCells)}::jsonb, ${instantOf(created)}, ${author(by)}::jsonb,
              ${instantOf(modified)}, ${changedBy.length === 0 ? null : author(changedBy[0] as number)}::jsonb)`
      }

      const value = (type: FieldTypeTag, operand: GeneratedOperand | null): object | undefined => {
        switch (operand?.type) {
          case "text":
            return { type: "text", text: [operand.text] }
          case "number":
            return { type: "number", number: [String(operand.number)] }
          case "ids":
            return { type: "ids", ids: operand.ids.map((id) => idOf(type, id)) }
          case "date": {
            const base = {
              kind: "variable",
              source: "trigger",
              trigger_type: "webhook_payload_property",
              key_path: [operand.date.base],
              data_type: "date"
            }
            return { type: "date", date: { base, operator: "plus", unit: operand.date.unit, amount: ["0"] } }
          }
          default:
            return undefined
        }
      }
      /** What a record holds of the type; of what the service sets itself, one of its facts. */
      const heldOf = (type: FieldTypeTag, [held, facts]: (typeof samples)[number]) =>
        held[type] ?? (type === "last_modified_at" ? facts.modified : type === "created_at" ? facts.created : undefined)
      const subjectOf = (type: FieldTypeTag, claimed: string = type) => ({
        kind: "variable",
        source: "field",
        field_id: fields[type]!,
        field_type: claimed,
        previous: false,
        collection: false,
        triggering: false
      })
      const conditionOn = (type: FieldTypeTag, operator: Operator, subject: object = subjectOf(type)) =>
        fc
          .constantFrom(...samples)
          .chain((sample) => operandOf(type, operator, heldOf(type, sample)))
          .map((operand) => {
            const operandValue = value(type, operand)
            return { subject, operator, ...(operandValue === undefined ? {} : { value: operandValue }) } as Condition
          })
      const condition = fc
        .tuple(fc.constantFrom(...usable), fc.constantFrom(...operatorTokens))
        .chain(([type, operator]) => conditionOn(type, operator))
      const { tree } = fc.letrec<{ tree: FilterGroup; row: FilterGroup | Condition }>((tie) => ({
        row: fc.oneof({ maxDepth: 2, depthSize: "small" }, condition, tie("tree")),
        tree: fc.record({
          operator: fc.constantFrom("and" as const, "or" as const),
          rows: fc.array(tie("row"), { minLength: 1, maxLength: 3 })
        })
      }))

      const records = yield* AppRecords
      const matching = yield* Matching
      const definitions = yield* Definitions
      const states = yield* RecordStates
      const [{ version } = { version: 0 }] = yield* sql<{
        version: number
      }>`SELECT version FROM apps WHERE app_id = ${appId}`
      const definition = yield* definitions.ofVersion(appId, version)
      const ids = yield* sql<{ record_id: number }>`
          SELECT record_id FROM records WHERE app_id = ${appId} AND deleted_on IS NULL ORDER BY record_id`
      const recordStates: ReadonlyArray<RecordState> = yield* states.byIds(
        orgId,
        ids.map((row) => row.record_id)
      )
      const payload = new Proxy(
        {},
        {
          has: () => true,
          get: (_, key) => key,
          getOwnPropertyDescriptor: (_, key) => ({ value: key, configurable: true, enumerable: true })
        }
      )
      const narrow = makeNarrow(sql)
      let narrowed = 0
      let matched = 0
      for (const group of fc.sample(
        fc.oneof(
          tree,
          condition.map((row) => ({ operator: "and" as const, rows: [row] }))
        ),
        { seed, numRuns: TREES }
      )) {
        const scope = scopeOf(orgId, appId)
        const judged = { ...scope, payload: Effect.succeed(payload) }
        const expected = (yield* matching.keep(group, judged, recordStates)).map((record) => record.record_id)
        const actual = (yield* records.matching(definition, group, 1_000, judged)).map((record) => record.record_id)
        assert.deepStrictEqual(actual, expected, `seed ${seed}: ${JSON.stringify(group)}`)
        const preparedGroup = yield* matching.prepare(group, judged)
        if (narrow(group, { prepared: preparedGroup, target: targetIn(definition) }) !== null) narrowed++
        matched += expected.length
      }
      assert.isAbove(narrowed, TREES / 3, "most trees are narrowed")
      assert.isAbove(matched, TREES)

      // Each type with each of its operators, by its older name and as metadata too: SQL passes all that the evaluator matches.
      const collected = (type: FieldTypeTag) => ({ ...subjectOf(type), collection: true })
      const each: ReadonlyArray<Condition> = (["is", "is_not"] as const).flatMap((operator) => [
        { subject: subjectOf("number"), operator, value: { type: "number", number: [collected("number")] } } as never,
        {
          subject: subjectOf("single_text"),
          operator,
          value: { type: "text", text: [collected("single_text")] }
        } as never
      ])
      const older = (type: FieldTypeTag) =>
        Object.entries(fieldTypeAliases).find(([, { covers }]) => (covers as ReadonlyArray<string>).includes(type))?.[0]
      const single = usable.flatMap((type) => {
        const claimed = older(type)
        const subjects: ReadonlyArray<readonly [object, ReadonlyArray<Operator>]> = [
          [subjectOf(type), operatorSets[fieldKinds[type].set]],
          ...(claimed === undefined
            ? []
            : [[subjectOf(type, claimed), [...operatorSets.ONE, ...operatorSets.MANY]] as const]),
          ...(type in metaKinds
            ? [[{ kind: "variable", source: "meta", meta_type: type }, operatorTokens] as const]
            : [])
        ]
        return subjects.flatMap(([subject, all]) =>
          all.flatMap((operator, index) =>
            fc.sample(conditionOn(type, operator, subject), {
              seed: seed + index,
              numRuns: operators[operator].arity === "none" ? 1 : 8
            })
          )
        )
      })
      const scope = scopeOf(orgId, appId)
      const judged = { ...scope, payload: Effect.succeed(payload) }
      let passing = 0
      for (const rows of chunksOf([...each, ...single], 100)) {
        const judgedRows = yield* Effect.forEach(rows, (row) =>
          Effect.gen(function* () {
            const group = { operator: "and" as const, rows: [row] }
            const kept = yield* matching.keep(group, judged, recordStates)
            const preparedGroup = yield* matching.prepare(group, judged)
            const part = narrow(group, { prepared: preparedGroup, target: targetIn(definition) }) ?? sql`true`
            return { row, part, expected: kept.map((record) => record.record_id) }
          })
        )
        const flags = judgedRows.slice(1).reduce((some, { part }) => sql`${some}, ${part}`, judgedRows[0]!.part)
        const answers = yield* sql<{ record_id: number; passes: ReadonlyArray<boolean | null> }>`
          SELECT record_id, ARRAY[${flags}] AS passes FROM records r WHERE app_id = ${appId} AND deleted_on IS NULL`
        const passes = new Map(answers.map((answer) => [answer.record_id, answer.passes]))
        for (const [index, { expected, row }] of judgedRows.entries()) {
          for (const id of expected) {
            passing++
            if (passes.get(id)![index] !== true)
              assert.fail(`seed ${seed}: record ${id} is lost by ${JSON.stringify(row)}`)
          }
        }
      }
      assert.isAbove(passing, 10_000)
    })
  )

  it.effect("days at the ends of the calendar are narrowed as they are decided (A6, A9)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { appId, orgId } = yield* seedApp()
      const moments = ["0100-01-01 12:00", "2026-01-01 10:00", "9999-12-31 11:30"]
      for (const [index, moment] of moments.entries()) {
        yield* sql`
          INSERT INTO records (app_id, org_id, app_record_id, cells, created_on, created_by)
          VALUES (${appId}, ${orgId}, ${index + 1}, '{}', ${`${moment}Z`}::timestamptz, '{"type":"user","user_id":1}')`
      }
      const records = yield* AppRecords
      const definition = Option.getOrThrow(yield* (yield* Definitions).read(appId))
      const rows: ReadonlyArray<readonly [day: string, operator: string, matching: ReadonlyArray<number>]> = [
        ["9999-12-31", "is", [3]],
        ["9999-12-31", "is_not", [1, 2]],
        ["9999-12-31", "is_before", [1, 2]],
        ["9999-12-31", "is_after", []],
        ["0100-01-01", "is", [1]],
        ["0100-01-01", "is_before", []],
        ["0100-01-01", "is_after", [2, 3]]
      ]
      for (const timezone of ["UTC", "America/New_York"]) {
        for (const [day, operator, matching] of rows) {
          const payloadVariable = { kind: "variable", source: "trigger", trigger_type: "webhook_payload_property" }
          const base = { ...payloadVariable, key_path: ["day"], data_type: "date" }
          const subject = { kind: "variable", source: "meta", meta_type: "created_at" }
          const date = { base, operator: "plus", unit: "day", amount: ["0"] }
          const group = { operator: "and", rows: [{ subject, operator, value: { type: "date", date } }] } as never
          const scope = scopeOf(orgId, appId)
          const matchingRecords = yield* records.matching(definition, group, 10, {
            ...scope,
            automation: { ...scope.automation, timezone },
            payload: Effect.succeed({ day })
          })
          const numbers = matchingRecords.map((record) => record.app_record_id)
          assert.deepStrictEqual(numbers, matching, `${operator} ${day} in ${timezone}`)
        }
      }
    })
  )

  it.effect(
    "empty references are left out whatever their tag, scripts count by their truth, for one record and for many",
    () =>
      Effect.gen(function* () {
        const { appId, orgId } = yield* seedApp()
        const matching = yield* Matching
        const nothing = {
          kind: "variable",
          source: "trigger",
          trigger_type: "webhook_payload_property",
          key_path: ["none"],
          data_type: "any"
        }
        const by = { kind: "variable", source: "meta", meta_type: "created_by" }
        const number = { kind: "variable", source: "meta", meta_type: "app_record_id" }
        const createdAt = { kind: "variable", source: "meta", meta_type: "created_at" }
        const record = (id: number) =>
          ({
            record_id: id,
            app_id: appId,
            app_record_id: id,
            revision: 0,
            title: "",
            cells: {},
            comment_count: 0,
            created_on: "2026-07-01 10:00:00",
            created_by: { type: "user", user_id: 1 },
            last_modified_on: null,
            last_modified_by: null,
            deleted_on: null
          }) as RecordState
        const rows: ReadonlyArray<readonly [row: object, matches: boolean]> = [
          [{ subject: by, operator: "is_any_of", value: { type: "ids", ids: [nothing] } }, true],
          [{ subject: by, operator: "is_none_of", value: { type: "ids", ids: [nothing, 1] } }, false],
          [{ subject: number, operator: "greater_than", value: { type: "number", number: [nothing] } }, true],
          [{ subject: number, operator: "greater_than", value: { type: "number", number: [nothing, " + 9"] } }, false],
          [
            {
              subject: createdAt,
              operator: "is",
              value: { type: "date", date: { base: nothing, operator: "plus", unit: "day", amount: ["1"] } }
            },
            true
          ],
          [
            {
              subject: { ...nothing, data_type: "text" },
              operator: "contains",
              value: { type: "text", text: [" ", nothing] }
            },
            true
          ],
          [{ code: ["1"] }, true],
          [{ code: ["'no'"] }, true],
          [{ code: ["({})"] }, true],
          [{ code: ["0"] }, false],
          [{ code: ["''"] }, false],
          [{ code: ["undefined"] }, false]
        ]
        const base = scopeOf(orgId, appId)
        const scope = { ...base, payload: Effect.succeed({}) }
        for (const [row, matches] of rows)
          for (const records of [[record(1)], [record(1), record(2), record(3)]]) {
            const group = { operator: "and", rows: [row] } as unknown as FilterGroup
            const kept = yield* matching.keep(group, scope, records)
            assert.strictEqual(kept.length, matches ? records.length : 0, JSON.stringify(row))
          }
      })
  )
})
