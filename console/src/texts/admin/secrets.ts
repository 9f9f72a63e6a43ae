// Texts of secrets, and of the hosts that may get them.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const addSecret = {
  newSecret: "New secret",
  name: "Name",
  value: "Value",
  whatItIsFor: "What it is for",
  addSecret: "Add secret",
  nobodyCanReadTheValue: "Nobody can read the value afterwards. At least six characters.",
  secretWasNotAdded: "The secret was not added.",
  secretWasAdded: (name: string) => `The secret ${name} was added.`
} as const

export const allowSecret = {
  whoMayUse: (name: string) => `Who may use ${name}`,
  whoMayUseItStays: "Who may use it stays as it was.",
  save: "Save"
} as const

export const allowedField = {
  privateWorkspaceId: (workspaceId: number) => `Private workspace ${workspaceId}`,
  whoMayUseIt: "Who may use it",
  allWorkspacesPrivateAndLater: "All workspaces, private and later ones too",
  adminsOfTheseWorkspacesCan: "Admins of these workspaces can send it anywhere by their automations and webhooks.",
  forAllWorkspaces: "for all workspaces",
  privateWorkspaceOne: (one: number) => `private workspace ${one}`,
  forNoWorkspaceYet: "for no workspace yet",
  forNames: (names: string) => `for ${names}`
} as const

export const secretRow = {
  newValueOf: (name: string) => `New value of ${name}`,
  value: "Value",
  stepsThatBeginFromNow: "Steps that begin from now on use it.",
  valueStaysAsItWas: "The value stays as it was.",
  replaceTheValue: "Replace the value",
  writtenTime: (time: ReactNode) => nodes`written ${time}`,
  replaceName: (name: string) => `Replace ${name}`,
  replace: "Replace",
  whoMayUseItName: (name: string) => `Who may use it: ${name}`,
  whoMayUseIt: "Who may use it",
  delete: "Delete",
  deleteQuestion: (name: string) => `Delete ${name}?`,
  deleteTheSecret: "Delete the secret",
  automationsThatNameItFail:
    "Automations that name it fail at the step that needs it. Its value cannot be brought back.",
  wasNotDeleted: (name: string) => `${name} was not deleted.`
} as const

export const secretsPage = {
  secretsOf: "Secrets of",
  organizationForWorkspaces: "The organization: for workspaces that you choose",
  forAllItsApps: (name: string) => `${name}: for all its apps`,
  forThisAppAlone: (name: string) => `${name}: for this app alone`,
  noSecretsHere: "No secrets here",
  keepPasswordsAndKeysHere: "Keep passwords and keys here, and automations use them by name.",
  ownersAndAdmins: "Owners and admins of the organization keep its secrets.",
  loadingSecretsFailed: "Loading secrets failed."
} as const
