// Endpoints that list records: developer-api.md 4.2, with the pages of 1.4.

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { GroupUnit } from "../../../domain/records/fields/contract/FieldGroups.ts"
import { RecordFilters } from "../../../domain/records/fields/matching/RecordFilter.ts"
import { pageLimits } from "../../../domain/records/listing/Listings.ts"
import { groupLimits, RecordGroup } from "../../../domain/records/listing/RecordGroups.ts"
import { relatedLimit } from "../../../domain/records/listing/Relations.ts"
import { Matched, MatchInput, ReferableRecord, RelatedInput } from "../../../domain/records/listing/relationSchemas.ts"
import { fieldNames, Record } from "../../../domain/records/reading/recordSchemas.ts"
import { Flag } from "../../../domain/records/reading/sideEffectSwitches.ts"
import { line, token } from "../../../platform/bounds/sized.ts"
import { Id } from "../../../platform/primitives/commonSchemas.ts"
import { costs } from "../../middleware/cost.ts"
import { DevApi } from "../../middleware/DevApi.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { pageOf } from "../../middleware/pageOf.ts"
import { requires } from "../../middleware/Requires.ts"
import { groupSummary, withSummary } from "../../middleware/summaries.ts"

const optional = Schema.optionalKey
const appId = { app_id: Id }
const upTo = (maximum: number, minimum: number) => optional(Schema.Int.check(Schema.isBetween({ minimum, maximum })))
const pageQuery = { limit: upTo(pageLimits.max, 0), cursor: optional(Schema.String) }
const lookQuery = {
  ...pageQuery,
  offset: upTo(Number.MAX_SAFE_INTEGER, 0),
  title: optional(Schema.String),
  fields: fieldNames,
  total: optional(Schema.Literals(["exact", "none"]))
}
const zone = optional(
  token.annotate({
    description: "An IANA time zone in which relative dates are judged; by default that of the caller's profile"
  })
)
const sortQuery = { sort_by: optional(Schema.String), sort_desc: optional(Flag) }
const page = pageOf(
  "records",
  Record,
  Schema.NullOr(Schema.Int).annotate({
    description: "How many there are in all pages; null where `total` is `none`"
  })
).annotate({ identifier: "RecordPage" })
const reads = "records:read" as const
const onApp = { scope: reads, guard: { kind: "app", level: 1 } } as const

const ofApp = HttpApiEndpoint.get("ofApp", "/v1/record/app/:app_id", {
  params: appId,
  query: { ...lookQuery, ...sortQuery },
  success: page,
  error: fails("ValidationError", "NotFound")
}).pipe(requires(onApp), withSummary("List records", "Records of an app, newest first or sorted by a field, in pages."))

const trash = HttpApiEndpoint.get("trash", "/v1/record/app/:app_id/trash", {
  params: appId,
  query: pageQuery,
  success: page,
  error: fails("ValidationError", "NotFound")
}).pipe(requires(onApp), withSummary("List deleted records", "The trash of an app, latest deletion first, in pages."))

const ofView = HttpApiEndpoint.get("ofView", "/v1/record/view/:view_id", {
  params: { view_id: Id },
  query: { ...lookQuery, timezone: zone },
  success: page,
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ scope: reads, guard: { kind: "view", level: 1 } }),
  withSummary("List records of a view", "Records as the saved view filters and sorts them, in pages.")
)

const filter = HttpApiEndpoint.post("filter", "/v1/record/filter/app/:app_id", {
  params: appId,
  query: { ...lookQuery, ...sortQuery },
  payload: Schema.Struct({ filters: RecordFilters, timezone: zone }),
  success: page,
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires(onApp),
  withSummary("Filter records", "Records that match all filters, newest first or sorted by a field, in pages.")
)

const groupQuery = {
  sort_desc: optional(Flag),
  limit: upTo(groupLimits.max, 1),
  cursor: optional(line),
  title: optional(Schema.String)
}
const groupedBy = token.annotate({ description: "The `external_id` of a field, or its id" })
const groupPage = pageOf(
  "groups",
  RecordGroup,
  Schema.Int.annotate({ description: "How many groups there are in all pages" })
).annotate({ identifier: "RecordGroupPage" })
const groupFailures = fails("ValidationError", "NotFound", "TooManyRequests")

const groups = HttpApiEndpoint.post("groups", "/v1/record/filter/app/:app_id/groups", {
  params: appId,
  query: groupQuery,
  payload: Schema.Struct({ group_by: groupedBy, unit: optional(GroupUnit), filters: RecordFilters, timezone: zone }),
  success: groupPage,
  error: groupFailures
}).pipe(
  requires({ ...onApp, cost: costs.groups }),
  withSummary(
    "Group records",
    "The values of a field among the records that match all filters, with their counts, in the order of the field; records without a value last."
  )
)

const viewGroups = HttpApiEndpoint.get("viewGroups", "/v1/record/view/:view_id/groups", {
  params: { view_id: Id },
  query: { group_by: optional(groupedBy), unit: optional(GroupUnit), ...groupQuery, timezone: zone },
  success: groupPage,
  error: groupFailures
}).pipe(
  requires({ scope: reads, cost: costs.groups, guard: { kind: "view", level: 1 } }),
  withSummary(
    "Group records of a view",
    "As *Group records* does, with the filters of the view and, unless named, its field."
  )
)

const related = HttpApiEndpoint.post("related", "/v1/record/app/:app_id/ref/:ref_app_id", {
  params: { ...appId, ref_app_id: Id },
  query: { limit: upTo(relatedLimit, 1) },
  payload: RelatedInput,
  success: page,
  error: fails("ValidationError", "Restricted", "NotFound", "RecordNotFound")
}).pipe(
  requires(onApp),
  withSummary("List related records", "Records of another app that the given records point to, or that point to them.")
)

const find = HttpApiEndpoint.get("find", "/v1/record/field/:field_id/find", {
  params: { field_id: Id },
  query: { text: optional(Schema.String) },
  success: Schema.Struct({ total: Schema.Int, records: Schema.Array(ReferableRecord) }),
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ scope: reads, guard: { kind: "field", level: 1 } }),
  withSummary("Find records to relate", "Records that a relation field may point to, by a part of their title.")
)

const match = HttpApiEndpoint.post("match", "/v1/record/field/:field_id/match", {
  params: { field_id: Id },
  payload: MatchInput,
  success: Schema.Struct({ matches: Schema.Array(Matched) }),
  error: fails("ValidationError", "NotFound")
}).pipe(
  requires({ scope: reads, guard: { kind: "field", level: 1 } }),
  withSummary(
    "Match records by title or id",
    "For each of at most 100 texts the records that a relation field may point to whose title it is, upper and lower case aside, or whose id."
  )
)

export class ListingsApi extends HttpApiGroup.make("listings")
  .add(ofApp, trash, ofView, filter, groups, viewGroups, related, find, match)
  .middleware(DevApi)
  .annotateMerge(
    groupSummary("Lists of records", "Records in pages: by app, filter, view, relation, and the trash.")
  ) {}
