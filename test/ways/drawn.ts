// What is drawn: hooks with their settings, automations with what sets them off, and changes of records, comments and the app.
import * as fc from "fast-check"
import { type HookType, hookTypes } from "../../src/domain/webhooks/Hook.ts"
import { DEPTH, seedOf } from "../support/seed.ts"

export const RECORDS = 3
const NAMES = ["Ada", "Bob"] as const
const HOUR = 3_600_000
/** Beyond every event. */
const LATER = 2 ** 50

/** What is drawn of a field is its place among the app's. */
const someFields = fc.constantFrom<ReadonlyArray<number>>([0], [1], [0, 1])
const often = <A>(usual: A, other: fc.Arbitrary<A>) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 3 }, { arbitrary: other, weight: 1 })

const hook = fc.record({
  types: fc.uniqueArray(fc.constantFrom(...hookTypes, "record.update", "record.update"), {
    minLength: 1,
    maxLength: 3
  }) as fc.Arbitrary<Array<HookType>>,
  state: often("active", fc.constantFrom("paused", "lost", "never verified")),
  filtered: often<string | null>(null, fc.constantFrom(...NAMES)),
  onlyFields: often<ReadonlyArray<number>>([], someFields),
  perMinute: often<number | null>(null, fc.constant(1_000)),
  atOnce: often<number | null>(null, fc.constantFrom(1, 2)),
  failures: often(0, fc.constant(1)),
  eventsFrom: often<number | null>(null, fc.constantFrom(0, LATER)),
  header: fc.boolean()
})
export type DrawnHook = typeof hook extends fc.Arbitrary<infer A> ? A : never

/** With nothing special about it. */
const plainHook = fc.record({
  ...{ state: fc.constant("active"), filtered: fc.constant(null), onlyFields: fc.constant([]) },
  ...{ perMinute: fc.constant(null), atOnce: fc.constant(null), failures: fc.constant(0), header: fc.boolean() },
  ...{ eventsFrom: fc.constantFrom(null, 0) },
  types: fc.shuffledSubarray(["record.create", "record.update", "record.delete", "record.restore"], { minLength: 2 })
}) as fc.Arbitrary<DrawnHook>

const automation = fc.record({
  trigger: fc.constantFrom(
    "record_created",
    "record_updated",
    "record_updated",
    "record_deleted",
    "record_comment_or_reply_created"
  ),
  fields: often<ReadonlyArray<number> | null>(null, someFields),
  filtered: often<string | null>(null, fc.constantFrom(...NAMES)),
  debounce: often<number | null>(null, fc.constant(HOUR)),
  state: often("active", fc.constantFrom("paused", "broken")),
  eventsFrom: often<number | null>(null, fc.constantFrom(0, LATER))
})
export type DrawnAutomation = typeof automation extends fc.Arbitrary<infer A> ? A : never

const plainAutomation = fc.record({
  trigger: fc.constantFrom("record_created", "record_updated", "record_deleted"),
  ...{ fields: fc.constant(null), debounce: fc.constant(null), state: fc.constant("active") },
  ...{ filtered: fc.constantFrom(null, ...NAMES), eventsFrom: fc.constant(null) }
}) as fc.Arbitrary<DrawnAutomation>

const event = fc.record({
  type: fc.constantFrom(
    ...["record.update", "record.update", "record.update", "record.update", "record.delete", "record.restore"],
    ...["comment.create", "comment.delete", "reply.create", "app.update"],
    ...["hook.failing", "automation.run_failed"]
  ),
  record: fc.nat(RECORDS - 1),
  name: fc.constantFrom(...NAMES),
  changed: fc.constantFrom<ReadonlyArray<number> | null>([], [0], [1], [0, 1], null),
  hook: often(true, fc.constant(false)),
  workflow: often(true, fc.constant(false)),
  depth: often(0, fc.constantFrom(9, 10)),
  /** The receiver says that it is gone: the delivery fails and is not tried again. */
  refused: often(false, fc.constant(true)),
  about: fc.nat(1)
})
export type DrawnEvent = typeof event extends fc.Arbitrary<infer A> ? A : never

const changeOfRecord = fc
  .record({ one: event, type: fc.constantFrom("record.update", "record.update", "record.delete", "record.restore") })
  .map(
    ({ one, type }): DrawnEvent => ({ ...one, type: type as DrawnEvent["type"], hook: true, workflow: true, depth: 0 })
  )

const casesOf = (
  hooks: fc.Arbitrary<Array<DrawnHook>>,
  automations: fc.Arbitrary<Array<DrawnAutomation>>,
  events: fc.Arbitrary<DrawnEvent> = event
) =>
  fc.record({
    hooks,
    automations,
    events: fc.array(events, { minLength: 8, maxLength: 12 }),
    created: fc.array(event, { minLength: RECORDS, maxLength: RECORDS })
  })

const none = fc.constant<Array<never>>([])
const some = <A>(one: fc.Arbitrary<A>, plain: fc.Arbitrary<A>) =>
  fc.tuple(plain, fc.array(one, { minLength: 2, maxLength: 4 })).map(([first, others]) => [first, ...others])
const [hooks, automations] = [some(hook, plainHook), some(automation, plainAutomation)]
const drawn = casesOf(hooks, automations)
export type Case = typeof drawn extends fc.Arbitrary<infer A> ? A : never

/** A record's creation is the first that happens to it. */
export const eventsOf = ({ created, events }: Case): ReadonlyArray<DrawnEvent> => [
  ...created.map((one, record) => ({ ...one, record, type: "record.create", changed: null })),
  ...events
]

const SEED = seedOf("WAYS_SEED")

/** Of each kind: with nothing special about them, with everything, both rooms beside each other. */
export const cases: ReadonlyArray<readonly [name: string, drawn: Case]> = [
  ["hooks, plain", casesOf(some(plainHook, plainHook), none, changeOfRecord)],
  ["hooks", casesOf(hooks, none)],
  ["automations, plain", casesOf(none, some(plainAutomation, plainAutomation), changeOfRecord)],
  ["automations", casesOf(none, automations)],
  ["both", drawn]
].flatMap(([name, arbitrary], kind) =>
  fc
    .sample(arbitrary as typeof drawn, { seed: SEED + kind, numRuns: DEPTH })
    .map((one, at) => [`${name} (WAYS_SEED=${SEED}, ${at})`, one] as const)
)
