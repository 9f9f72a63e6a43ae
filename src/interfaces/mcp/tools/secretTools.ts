// Secrets that automations use by name (developer-api.md 7.13). No answer holds a value.
import { NewOrganizationSecret, NewSecret, SecretText } from "../../../domain/secrets/Secret.ts"
import { adds, reads, replaces, tool } from "../Tool.ts"
import { id, optional, text } from "./args.ts"

const ownerArguments = {
  app_id: optional(id("From list_apps, for one of an app.")),
  workspace_id: optional(id("From list_apps, for one of a workspace. Neither: the organization's."))
}
const secretId = id("From list_secrets.")
const shownArguments = {
  value: {
    description: "6 to 8192 characters. It passes through this conversation: people may rather set it themselves."
  },
  allowed: {
    type: ["object", "string"],
    description: '{ "workspace_ids": [3] } or "all": the workspaces that may use one of the organization.'
  }
}

export const secretTools = [
  tool({
    name: "list_secrets",
    title: "List secrets",
    description:
      'Names of the secrets of an app, a workspace or the organization, never their values. Steps refer to one as { "kind": "variable", "source": "secret", "name": … } in HTTP requests and mails, scripts of custom_code as secret("name"); an app\'s own wins over its workspace\'s, and that over the organization\'s.',
    hints: reads,
    endpoint: ["secrets", "organizationList"],
    args: ownerArguments,
    instead: ({ app_id, workspace_id }) =>
      app_id !== undefined
        ? { endpoint: "appList" }
        : workspace_id !== undefined
          ? { endpoint: "workspaceList" }
          : undefined
  }),
  tool({
    name: "create_secret",
    title: "Create a secret",
    description:
      "Adds a secret to an app, a workspace or the organization, which is used by the workspaces in `allowed`, by none without it. Its value cannot be read back.",
    hints: adds,
    endpoint: ["secrets", "organizationCreate"],
    args: {
      ...ownerArguments,
      name: NewSecret.fields.name,
      value: SecretText,
      description: optional(text("What it is for.")),
      allowed: NewOrganizationSecret.fields.allowed
    },
    shown: shownArguments,
    body: ["name", "value", "description", "allowed"],
    instead: ({ app_id, workspace_id }) =>
      app_id !== undefined
        ? { endpoint: "appCreate" }
        : workspace_id !== undefined
          ? { endpoint: "workspaceCreate" }
          : undefined
  }),
  tool({
    name: "replace_secret",
    title: "Replace a secret",
    description:
      "Gives a secret another value, or says which workspaces may use one of the organization. It holds for steps that begin from now on.",
    hints: replaces,
    endpoint: ["secrets", "update"],
    args: { secret_id: secretId, value: optional(SecretText), allowed: NewOrganizationSecret.fields.allowed },
    shown: shownArguments,
    body: ["value", "allowed"]
  }),
  tool({
    name: "delete_secret",
    title: "Delete a secret",
    description: "Removes a secret for good. Steps that refer to it fail from now on.",
    hints: replaces,
    endpoint: ["secrets", "remove"],
    args: { secret_id: secretId }
  })
]
