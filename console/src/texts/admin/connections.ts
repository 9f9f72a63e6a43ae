// Texts of the app policy: connected apps, who may connect them, blocks of one person.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const appAccess = {
  limitToAdminsAndOwners: (name: string) => `Limit ${name} to admins and owners?`,
  limitIt: "Limit it",
  block: (name: string) => `Block ${name}?`,
  blockIt: "Block it",
  whoMayConnect: (name: string) => `Who may connect ${name}`,
  ruleEndedTheConnections: (people: string) => `The rule ended the connections of ${people}.`,
  ruleStaysAsItIs: "The rule stays as it is.",
  peopleHaveConnected: (people: string, connections: number) =>
    plural(connections, {
      one: `${people} has connected it. The connections of all whom the rule shuts out end at once: the app’s tokens stop working. To lift the rule brings none of them back.`,
      other: `${people} have connected it. The connections of all whom the rule shuts out end at once: the app’s tokens stop working. To lift the rule brings none of them back.`
    })
} as const

export const appBlocks = {
  person: "Person",
  chooseAPerson: "Choose a person",
  theirConnectionEndsAtOnce:
    "Their connection ends at once, and they cannot connect the app again. To lift the block brings nothing back.",
  nobodyWasBlocked: "Nobody was blocked.",
  block: "Block",
  cancel: "Cancel",
  blockForOnePerson: (name: string) => `Block ${name} for one person`,
  formerMemberNo: (id: number) => `Former member No. ${id}`,
  blockedFor: (name: string) => `Blocked for: ${name}`,
  blockedForStrong: (strong: ReactNode) => nodes`Blocked for ${strong}`,
  unblockForPerson: (name: string, person: string) => `Unblock ${name} for ${person}`,
  unblock: "Unblock",
  blockStays: "The block stays.",
  loadingPeopleFailed: "Loading people failed."
} as const

export const appConnections = {
  approvedTime: (time: ReactNode) => nodes`Approved ${time},`,
  disconnect: "Disconnect",
  disconnectFor: (app: string, person: string) => `Disconnect ${app} for ${person}?`,
  itsTokensStopWorking:
    "Its tokens stop working at once. What it has written stays. To connect again, it asks for consent.",
  itWasNotDisconnected: "It was not disconnected.",
  laterOnes: "Later ones",
  earlierOnes: "Earlier ones",
  loadingConnectionsFailed: "Loading connections failed."
} as const

export const appModeForm = {
  modes: {
    all: "All apps, except those that are limited or blocked",
    approved: "Only apps that a rule approves"
  },
  newConnections: "New connections",
  whichAppsMayConnect: "Which apps may connect",
  thisHoldsForNewApprovals: "This holds for new approvals; what is connected goes on. It is kept as you choose.",
  itStaysAsItIs: "It stays as it is."
} as const

export const connectedAppCard = {
  connectedByNobody: "Connected by nobody",
  connectedByPeople: (people: string) => `Connected by ${people}`,
  lastUsedTime: (time: ReactNode) => nodes`, last used ${time}`,
  blockForOnePersonName: (name: string) => `Block for one person: ${name}`,
  blockForOnePerson: "Block for one person",
  whoHasConnectedItName: (name: string) => `Who has connected it: ${name}`,
  whoHasConnectedIt: "Who has connected it",
  endAll: "End all",
  connectionsOf: (name: string) => `connections of ${name}`,
  endAllConnectionsOf: (name: string) => `End all connections of ${name}?`,
  endConnections: (connections: number) =>
    plural(connections, { one: "End the connection", other: `End all ${connections}` }),
  itsTokensStopWorking: (people: string) =>
    `Its tokens stop working at once, for ${people}. Nothing that it wrote goes. People may connect it again unless a rule forbids it.`,
  endedPeople: (people: string) => `Ended: ${people}.`,
  connectionsGoOn: "The connections go on."
} as const

export const connectedAppsPage = {
  noAppIsConnected: "No app is connected",
  appsThatPeopleConnect: "Apps that people connect are listed here, and those that have a rule.",
  findAnApp: "Find an app",
  countOfTotal: (count: number, total: number) => `${count} of ${total}`,
  showMoreApps: "Show more apps",
  loadingConnectedAppsFailed: "Loading connected apps failed."
} as const
