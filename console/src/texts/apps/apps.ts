// Texts of apps: the list, a new one, its settings, what uses it, its deletion.
import type { ReactNode } from "react"
import { countText } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const appForm = {
  name: "Name",
  ships: "Ships",
  nameOfARecord: "Name of a record",
  ship: "Ship",
  recordIfEmpty: "Record, if empty.",
  icon: "Icon",
  whatItIsFor: "What it is for",
  itWasNotSaved: "It was not saved.",
  record: "Record"
} as const

export const appSettingsPage = {
  names: "Names",
  save: "Save",
  saved: "Saved.",
  apps: "Apps",
  app: "App",
  settings: "Settings",
  settingsOf: (name: string) => `Settings of ${name}`,
  openRecords: "Open records",
  youMayNotChange: "You may not change this app",
  adminsOfItsWorkspaceMay: "Admins of its workspace may.",
  loadingTheAppFailed: "Loading the app failed."
} as const

export const appsPage = {
  eachRecordIsAItem: (itemName: string) => `Each record is a ${itemName}.`,
  newApp: "New app",
  apps: "Apps",
  appHoldsRecordsOfOne: "An app holds records of one kind: orders, tickets, ships.",
  noAppsYet: "No apps yet",
  beginWithOne: "Begin with one: its fields say what its records hold.",
  adminsOfAWorkspaceBuild: "Admins of a workspace build its apps.",
  findAnApp: "Find an app",
  countOfTotal: (count: number, total: number) => `${count} of ${total}`,
  loadingAppsFailed: "Loading apps failed."
} as const

export const deleteApp = {
  deleteQuestion: (name: string) => `Delete ${name}?`,
  thisCannotBeUndone: "This cannot be undone. With the app go:",
  records: (records: number) => countText(records, "record", "records"),
  trashedRecordsMore: (trashedRecords: string) => `, ${trashedRecords} more in the trash`,
  comments: (comments: number) => countText(comments, "comment", "comments"),
  views: (views: number) => countText(views, "view", "views"),
  automationsAndWebhooks: (automations: number, webhooks: number) =>
    `${countText(automations, "automation", "automations")} and ${countText(webhooks, "webhook", "webhooks")} of its own`,
  whatLabelOfAppName: (label: string, appName: string) => `what ${label} of ${appName} points to`,
  typeToGoOn: (name: string) => `Type ${name} to go on`,
  appWasNotDeleted: "The app was not deleted.",
  deleteTheApp: "Delete the app",
  withItsRecordsFieldsViews: "With its records, fields, views, automations and webhooks.",
  delete: (name: string) => `Delete ${name}`,
  loadingTheUsesOfTheAppFailed: "Loading the uses of the app failed."
} as const

export const newAppPage = {
  firstField: {
    config: { label: "Name" }
  },
  newApp: "New app",
  apps: "Apps",
  itBeginsWithOneField: "It begins with one field, the name of its records. Further fields are added next.",
  youMayBuildNoApps: "You may build no apps here",
  adminsOfAWorkspaceBuild: "Admins of a workspace build its apps. Ask one of yours.",
  theNewApp: "The new app",
  createApp: "Create app",
  workspace: "Workspace",
  loadingWorkspacesFailed: "Loading workspaces failed."
} as const

export const uses = {
  wouldBreakAndStop: "would break, and stop:",
  noAutomationUsesIt: "No automation uses it.",
  automations: (automations: number) => countText(automations, "automation", "automations"),
  ofAppName: (name: ReactNode, appName: string) => nodes`${name} of ${appName}`,
  automationsOfApps: (automations: number) =>
    `${countText(automations, "automation", "automations")} of apps that you do not administer`
} as const
