// Organization, people, users, workspaces and what an organization has set up, as an import makes them (docs/operations.md). Whatever opens
// something is not in an export, so it is entered anew; limits are the installation's to give.
import { Result, Schema } from "effect"
import { OrgRole } from "../../../domain/accounts/Caller.ts"
import { Icon } from "../../../domain/accounts/Icon.ts"
import { WorkspaceRole, WorkspaceType } from "../../../domain/accounts/levels.ts"
import { AppAccess, PolicyMode, UserStanding } from "../../../domain/connections/connectPermission.ts"
import { Email } from "../../../platform/primitives/commonSchemas.ts"
import type { IdBook } from "./IdBook.ts"
import { count, flag, id, kind, leftOut, orNull, taken, text, time } from "./ImportKind.ts"

const isEmail = Schema.is(Email)

/** Exports of the release before do not have it: what they bring is for nobody until an admin says for whom (decisions A26). */
const allowedColumn = { allowed_workspaces: Schema.optionalKey(orNull(Schema.Array(id))) }

/** New ids of the allowed workspaces, without those that are gone. */
const allowedHere = (
  { allowed_workspaces: allowed = [] }: { readonly allowed_workspaces?: ReadonlyArray<number> | null },
  book: IdBook
) =>
  allowed === null ? null : allowed.filter((one) => book.has("workspace", one)).map((one) => book.to("workspace", one))

export const importedAccounts = {
  organizations: kind({
    row: Schema.Struct({
      ...{ org_id: id, name: text, slug: text, url: orNull(text), description: orNull(text) },
      ...{ website: orNull(text), location: orNull(text), plan: text, limits: Schema.Unknown, created_on: time }
    }),
    id: ["org_id", "org"],
    of: {},
    change: ({ limits, plan: _, ...row }, told) => {
      told.limits = limits
      told.organization = row
      return taken(row)
    }
  }),
  people: kind({
    row: Schema.Struct({
      ...{ person_id: id, email: text, name: text, created_on: time },
      ...{ last_sign_in_on: orNull(time), password_set_on: orNull(time) }
    }),
    of: {},
    // People are written with their users, so that a person who already exists here stays unchanged.
    change: ({ created_on, email, name, person_id }, { people }) => {
      if (!isEmail(email)) return Result.fail("email: expected an address")
      people.set(person_id, { email, name, created_on })
      return leftOut
    }
  }),
  users: kind({
    row: Schema.Struct({
      ...{ user_id: id, org_id: id, person_id: id, name: text, role: OrgRole, status: UserStanding.fields.status },
      ...{ phone: orNull(text), job_description: orNull(text), image: orNull(text), timezone: text, created_on: time }
    }),
    id: ["user_id", "user"],
    of: { org_id: "org" },
    change: (row, { people, statuses }) => {
      if (!people.has(row.person_id)) return leftOut
      statuses.set(row.user_id, row.status)
      return taken({ ...row, status: row.status === "removed" ? "removed" : "deactivated" })
    }
  }),
  workspaces: kind({
    row: Schema.Struct({
      ...{ workspace_id: id, org_id: id, name: text, slug: text, type: WorkspaceType },
      ...{ description: orNull(text), icon: orNull(Icon), created_on: time }
    }),
    id: ["workspace_id", "workspace"],
    of: { org_id: "org" }
  }),
  workspace_members: kind({
    row: Schema.Struct({ workspace_id: id, user_id: id, role: WorkspaceRole }),
    of: { workspace_id: "workspace", user_id: "user" }
  }),
  org_factor_policies: kind({ row: Schema.Struct({ org_id: id, required_from: time }), of: { org_id: "org" } }),
  org_app_modes: kind({ row: Schema.Struct({ org_id: id, mode: PolicyMode }), of: { org_id: "org" } }),
  org_app_policies: kind({
    row: Schema.Struct({ org_id: id, client_id: text, access: AppAccess }),
    of: { org_id: "org" }
  }),
  org_app_user_blocks: kind({ row: Schema.Struct({ user_id: id, client_id: text }), of: { user_id: "user" } }),
  smtp_accounts: kind({
    row: Schema.Struct({
      ...{ smtp_account_id: id, org_id: id, name: text, host: text, port: count, username: orNull(text) },
      ...{ security: Schema.Literals(["tls", "starttls", "none"]), from_address: text, from_name: orNull(text) },
      // `guarded` is missing in exports of 0.1. An imported account belongs to the organization, wherever its server is.
      ...{ is_default: flag, version: count, guarded: Schema.optionalKey(flag), created_on: time },
      ...allowedColumn
    }),
    id: ["smtp_account_id", "smtp_account"],
    of: { org_id: "org" },
    change: (row, { book, first, toEnter }) => {
      const { host, name, smtp_account_id, username } = row
      if (first && username !== null) toEnter.accounts.push({ smtp_account_id, name, host, username })
      return taken({ ...row, guarded: true, allowed_workspaces: allowedHere(row, book) })
    }
  }),
  authentication_providers: kind({
    row: Schema.Struct({
      ...{ authentication_provider_id: id, org_id: id, name: text, token_url: text, client_id: text },
      ...{ grant_type: Schema.Literals(["client_credentials", "refresh_token"]), scope: orNull(text) },
      ...{ client_auth: Schema.Literals(["basic", "post"]), token_type: orNull(text), expires_on: orNull(time) },
      ...{ created_on: time, renewing_until: orNull(time) },
      ...allowedColumn
    }),
    id: ["authentication_provider_id", "provider"],
    of: { org_id: "org" },
    change: ({ expires_on: _, renewing_until: __, token_type: ___, ...row }, { book, first, toEnter }) => {
      const { authentication_provider_id, name } = row
      if (first) toEnter.providers.push({ authentication_provider_id, name })
      return taken({ ...row, allowed_workspaces: allowedHere(row, book) })
    }
  }),
  secrets: kind({
    row: Schema.Struct({
      ...{ secret_id: id, org_id: id, workspace_id: orNull(id), app_id: orNull(id), name: text },
      ...{
        description: orNull(text),
        created_by: orNull(id),
        created_on: time,
        updated_by: orNull(id),
        updated_on: time
      },
      ...allowedColumn
    }),
    of: { org_id: "org" },
    // An automation that names one that is not there says so when it is activated; one of an empty value would run.
    change: ({ allowed_workspaces: allowed, app_id, name, workspace_id }, { first, toEnter }) => {
      const ofOrganization = workspace_id === null && app_id === null
      if (first)
        toEnter.secrets.push({
          name,
          workspace_id,
          app_id,
          ...(ofOrganization && { allowed_workspaces: allowed === null ? "all" : (allowed ?? []) })
        })
      return leftOut
    }
  })
}
