// Schemas of answers and bodies of automations, their revisions and their portable files (developer-api.md 7.1, 7.2, 7.13).

import { Schema } from "effect"
import { statuses } from "../../domain/automations/definitions/automationStatus.ts"
import { PausedReason } from "../../domain/automations/model/automationSwitch.ts"
import { whenFull } from "../../domain/automations/schema/RunSettings.ts"
import { anything, map, sizes } from "../../platform/bounds/sized.ts"
import * as Common from "../../platform/primitives/commonSchemas.ts"
import { pageOf } from "../middleware/pageOf.ts"

// Bodies and parts of definitions are looked at by the domain; the description shows their schemas in these places
// (../description/automationShapes.ts).
const part = (name: string) => Schema.Unknown.annotate({ identifier: name })
const Trigger = Schema.NullOr(part("Trigger"))
const Filter = Schema.NullOr(part("FilterGroup"))
const Actions = Schema.Array(part("Action"))
export const body = (name: string) => anything(2 * sizes.definitionValues).annotate({ identifier: name })
export const TriggerBody = body("Trigger")

const BrokenReasons = Schema.Array(part("BrokenReason"))

export const UpcomingInstants = Schema.Struct({
  timezone: Schema.String.annotate({ description: "By which it comes due" }),
  instants: Schema.Array(
    Schema.Struct({
      utc: Schema.String,
      local: Schema.String.annotate({ description: "The same on a clock of the time zone" })
    })
  ).annotate({ description: "The next ten; fewer where it ends before" }),
  never_due: Schema.NullOr(Schema.String).annotate({ description: "Why there are none" })
}).annotate({ identifier: "UpcomingInstants" })

export const Status = Schema.Literals(statuses).annotate({ identifier: "AutomationStatus" })
const Automation = Schema.Struct({
  id: Schema.Int,
  app_id: Schema.Int,
  workspace_id: Schema.Int,
  name: Schema.String,
  description: Schema.optionalKey(Schema.String),
  status: Status,
  paused: Schema.Boolean,
  paused_reason: Schema.optionalKey(
    PausedReason.annotate({ description: "Why the service has paused it; absent where a person has" })
  ),
  broken: Schema.Boolean,
  broken_reason: Schema.NullOr(Schema.Struct({ errors: BrokenReasons })),
  version: Schema.Int,
  timezone: Schema.String,
  on_failure_automation_id: Schema.optionalKey(
    Schema.Int.annotate({ description: "The automation that is called when a run fails; absent when unset" })
  ),
  concurrency: Schema.optionalKey(
    Schema.Struct({ at_most: Schema.Int, per_record: Schema.Boolean, when_full: Schema.Literals(whenFull) })
  ),
  debounce_ms: Schema.optionalKey(Schema.Int),
  pause_after_failures: Schema.optionalKey(Schema.Int),
  tags: Schema.optionalKey(Schema.Array(Schema.String).annotate({ description: "Absent when there are none" })),
  owner_id: Schema.Int,
  trigger: Trigger,
  filter: Filter,
  actions: Actions,
  created_at: Schema.String,
  updated_at: Schema.String,
  refused_senders: Schema.optionalKey(
    Schema.Struct({ count: Schema.Int, first_at: Schema.String, last_at: Schema.String }).annotate({
      description:
        "Requests to its inbound address whose sender was not verified, since the last week without any; only where one automation is read, absent when there are none"
    })
  )
}).annotate({ identifier: "Automation" })
export const Revision = Schema.Struct({
  id: Schema.String,
  automation_id: Schema.Int,
  version: Schema.Int,
  created_at: Schema.String,
  author: Schema.optionalKey(
    Schema.Struct({ user_id: Schema.Int, name: Schema.String }).annotate({
      description: "Who saved it, with whose rights its runs work"
    })
  ),
  name: Schema.String,
  paused: Schema.Boolean,
  broken: Schema.Boolean,
  trigger: Trigger,
  filter: Filter,
  actions: Actions
}).annotate({ identifier: "AutomationRevision" })

export const Change = Schema.Struct({
  path: Schema.String.annotate({ description: "Where it is in the second revision; in the first if it is removed" }),
  kind: Schema.Literals(["added", "removed", "changed", "moved"]),
  action_id: Schema.optionalKey(Schema.String),
  before: Schema.optionalKey(Schema.Unknown),
  after: Schema.optionalKey(Schema.Unknown)
}).annotate({
  identifier: "AutomationRevisionChange",
  description: "Steps are known again by their ids; of what moved, `before` and `after` are its paths"
})
export const Validity = Schema.Struct({
  valid: Schema.Boolean,
  errors: BrokenReasons,
  warnings: Schema.optionalKey(
    BrokenReasons.annotate({
      description: "What is probably not meant, in the shape of errors; absent when there is nothing, never decisive"
    })
  )
})
export const One = Schema.Struct({ automation: Automation }).annotate({ identifier: "AutomationAnswer" })
export const Made = One.annotate({ httpApiStatus: 201 })
export const Page = pageOf("automations", Automation).annotate({ identifier: "AutomationPage" })

export const TagList = Schema.Struct({
  tags: Schema.Array(
    Schema.Struct({
      tag: Schema.String.annotate({ description: "As most of them spell it" }),
      automations: Schema.Int.annotate({ description: "Number of automations that have it" })
    })
  )
}).annotate({ identifier: "AutomationTags" })

export const PortableFile = map(anything(2 * sizes.definitionValues), sizes.arguments).annotate({
  identifier: "PortableAutomation",
  description:
    "`portable: 2`, a `key` that makes it one automation, `app`, and the members of a definition, with short templates in its texts (`{{ record.customer }}`; in form 1 `{{` is text)"
})
export const ImportBody = Schema.Struct({
  file: PortableFile,
  app_id: Schema.optionalKey(
    Common.Id.annotate({ description: "Into this app instead of the one that the file names" })
  ),
  dry_run: Schema.optionalKey(Schema.Boolean.annotate({ description: "Only tells what would be done, or is missing" }))
}).annotate({ identifier: "AutomationImport" })
export const Imported = Schema.Struct({
  applied: Schema.Boolean,
  automation_id: Schema.NullOr(Schema.Int).annotate({
    description: "The automation that the file means; null where it has made none yet"
  }),
  app_id: Schema.NullOr(Schema.Int),
  missing: Schema.Array(Schema.String).annotate({
    description: "Of a dry run: what the organization lacks, or the caller does not see, with its place in the file"
  }),
  changes: Schema.Array(Schema.String).annotate({ description: "By place: `+` added, `-` removed, `~` changed" })
}).annotate({ identifier: "AutomationImported" })
