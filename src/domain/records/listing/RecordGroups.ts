// Groups of an app's or a view's live records by a field (developer-api.md 11.6; docs/decisions.md, "Groups of records"): how many records each
// has, and the filter that lists them.
import { Context, Effect, Layer, Schema } from "effect"
import { sizes } from "../../../platform/bounds/sized.ts"
import { makeFairPlaces } from "../../../platform/fairness/FairPlaces.ts"
import { type NotFound, TooManyRequests, ValidationError } from "../../../platform/primitives/errors.ts"
import { isZone } from "../../../platform/primitives/zones.ts"
import { Cursors } from "../../../platform/sealing/Cursors.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { nearestHint } from "../../../platform/text/nearest.ts"
import type { AccessGrant } from "../../accounts/Access.ts"
import type { FieldGroups, GroupSpan, GroupUnit } from "../fields/contract/FieldGroups.ts"
import { RecordFilter, type RecordFilters } from "../fields/matching/RecordFilter.ts"
import { type Field, type Found, noMentions } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { type AppDefinition, fieldByKey } from "../model/AppDefinition.ts"
import { Lookups } from "../model/Lookups.ts"
import { renderCell } from "../reading/render.ts"
import { GroupPosition, makeGroupSelect } from "./groupSelect.ts"
import { type ListingNarrowing, makeNarrowing } from "./listingFilters.ts"
import { makeSelection } from "./recordSelect.ts"
import { kindName } from "./sorting.ts"

export const groupLimits = { default: 100, max: 500 } as const

/** Statements of groups at once in a process: they read whole apps. */
const SLOTS = { places: 2, reserve: 1, waiting: 20 }
const RETRY_SECONDS = 5
/** Maximum number of filters: a group's own joins them in the listing of its records. */
const MAX_FILTERS = sizes.filters - 1

export const RecordGroup = Schema.Struct({
  text: Schema.String.annotate({ description: "The value as people read it; empty for the group without one" }),
  values: Schema.Array(Schema.Unknown).annotate({
    description: "The field's values in a record of the group, as records show them; of dates the group's first day"
  }),
  count: Schema.Int,
  filter: RecordFilter.annotate({ description: "Lists the group's records, together with the filters of the request" })
}).annotate({ identifier: "RecordGroup" })
type RecordGroup = typeof RecordGroup.Type

interface GroupRequest {
  /** `external_id` or id of the field. */
  readonly group_by?: string
  readonly unit?: GroupUnit
  readonly sort_desc?: boolean
  readonly limit?: number
  readonly cursor?: string
  readonly title?: string
  readonly timezone?: string
}
interface GroupPage {
  readonly total: number
  readonly cursor: string | null
  readonly groups: ReadonlyArray<RecordGroup>
}
type Grouped = Effect.Effect<GroupPage, ValidationError | NotFound | TooManyRequests>

export class RecordGroups extends Context.Service<
  RecordGroups,
  {
    /** Groups in the order of the field, the group of empty fields last. */
    readonly ofApp: (grant: AccessGrant, filters: RecordFilters, request: GroupRequest) => Grouped
    /** The grant's view: its filters, and its field unless the request names another. */
    readonly ofView: (grant: AccessGrant, request: GroupRequest) => Grouped
  }
>()("millrace/records/RecordGroups") {
  static readonly layer = Layer.effect(
    RecordGroups,
    Effect.suspend(() => make)
  )
}

/** The group as the API shows it. @param key null: that of empty fields */
const shownGroup = (
  field: Field,
  groups: FieldGroups,
  key: string | null,
  count: number,
  span: GroupSpan,
  found: Found
) => {
  const { formatted, text, type } = typeOf(field)
  const cell = key === null ? [] : groups.cell(key)
  const texts = cell.map((entry) => formatted?.(entry, field) ?? text(entry, field, found))
  const condition = key === null ? { match_type: "empty" } : groups.condition(key, span)
  return {
    text: typeOf(field).kind === "dates" ? (key ?? "") : texts.join(", "),
    values: renderCell(cell, field, found),
    count,
    filter: { field_id: field.field_id, type, ...condition } satisfies RecordFilter
  }
}

const make = Effect.gen(function* () {
  const cursors = yield* Cursors
  const lookups = yield* Lookups
  const selection = yield* makeSelection
  const { narrow, savedView } = yield* makeNarrowing
  const read = yield* makeGroupSelect
  const slots = makeFairPlaces(SLOTS)
  const invalid = (message: string) => new ValidationError({ message })

  const fieldOf = Effect.fnUntraced(function* (definition: AppDefinition, name: string | undefined) {
    if (name === undefined) return yield* invalid("group_by: is missing")
    const field = fieldByKey(definition, name)
    if (field === undefined) {
      const hint = nearestHint(name, [...definition.bySlug.keys()])
      return yield* invalid(`group_by: the app has no field ${JSON.stringify(name)}${hint}`)
    }
    const { groups, label } = typeOf(field)
    return groups === undefined
      ? yield* invalid(`group_by: records are not grouped by fields of the type ${label}`)
      : { field, groups }
  })

  const page = Effect.fnUntraced(function* (
    scope: string,
    grant: AccessGrant,
    definition: AppDefinition,
    filters: Pick<ListingNarrowing, "filters" | "stored">,
    request: GroupRequest
  ) {
    const { cursor, limit = groupLimits.default, sort_desc: desc = false, timezone, title, unit = "day" } = request
    if (limit < 1 || limit > groupLimits.max) return yield* invalid(`limit: expected 1 to ${groupLimits.max}.`)
    if (filters.filters.length > MAX_FILTERS)
      return yield* invalid(`filters: at most ${MAX_FILTERS}, so that a group's own joins them in a listing.`)
    const zone = timezone ?? "UTC"
    if (!isZone(zone))
      return yield* invalid(`timezone: must be an IANA time zone such as Europe/Vienna: ${JSON.stringify(zone)}`)
    const { field, groups } = yield* fieldOf(definition, request.group_by)
    const { cursorName, ...narrowed } = yield* narrow(grant.caller, definition, { ...filters, title, timezone })
    const span = { unit, zone }
    const listing = `${scope}/groups ${kindName(field)} ${unit} ${zone}${desc ? " desc" : ""} ${cursorName}`
    const cursorState = cursor === undefined ? null : yield* cursors.read(listing, cursor, GroupPosition)
    const position = cursorState?.position ?? null
    const rows = yield* slots
      .tryUse(grant.orgId)(read({ definition, ...narrowed }, { field, groups, span, desc }, position, limit + 1))
      .pipe(
        Effect.catchTag("PlacesFull", () =>
          Effect.fail(
            new TooManyRequests({ message: "Too many groups are being read.", retryAfterSeconds: RETRY_SECONDS })
          )
        )
      )
    if (rows === null) return yield* invalid("group_by: grouping these records takes too long; filter them first")
    const pageRows = rows.slice(0, limit)
    const mentions = noMentions()
    for (const { key } of pageRows) if (key !== null) typeOf(field).mention?.(groups.cell(key), mentions)
    const foundEntities = yield* lookups.forReading(grant.orgId, mentions)
    const lastRow = pageRows.at(-1)
    const total = cursorState?.total ?? rows[0]?.total ?? 0
    return {
      total,
      cursor:
        rows.length > limit
          ? yield* cursors.issue(listing, { total, position: { digest: lastRow!.digest, sort_key: lastRow!.sort_key } })
          : null,
      groups: pageRows.map(({ count, key }) => shownGroup(field, groups, key, count, span, foundEntities))
    }
  })

  const ofApp = Effect.fn("RecordGroups.ofApp")(function* (
    grant: AccessGrant,
    filters: RecordFilters,
    request: GroupRequest
  ) {
    const definition = yield* selection.granted(grant)
    return yield* page(`records/app/${grant.appId}`, grant, definition, { filters, stored: false }, request)
  }, orSqlDefect)

  const ofView = Effect.fn("RecordGroups.ofView")(function* (grant: AccessGrant, request: GroupRequest) {
    const definition = yield* selection.granted(grant)
    const { filters, group_by } = yield* savedView(grant.id)
    const named = group_by === null ? request : { group_by: String(group_by), ...request }
    return yield* page(`records/view/${grant.id}`, grant, definition, { filters, stored: true }, named)
  }, orSqlDefect)

  return RecordGroups.of({ ofApp, ofView })
})
