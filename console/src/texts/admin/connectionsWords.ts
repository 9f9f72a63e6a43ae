// Words of the app policy: permissions, and who may connect an app.
import { plural } from "../../../../src/platform/text/plural.ts"

export const connectionQueries = {
  accessWords: {
    everyone: "Approved for everyone",
    admins: "Approved for admins and owners only",
    blocked: "Blocked"
  },
  noRuleWords: { all: "No rule: everyone", approved: "No rule: nobody anew" },
  people: (count: number) => plural(count, { one: "1 person", other: `${count} people` }),
  permissions: (count: number) => plural(count, { one: "1 permission", other: `${count} permissions` })
} as const
