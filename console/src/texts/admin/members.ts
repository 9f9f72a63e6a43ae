// Texts of the members of an organization and their invitations.
import type { ReactNode } from "react"
import { nodes } from "../nodes.ts"

export const addMember = {
  invitationOf: (name: string) => `Invitation of ${name}`,
  inviteAPerson: "Invite a person",
  name: "Name",
  email: "Email",
  workspacesAsWorkspaceRole: (workspaceRole: string) => `Workspaces, as ${workspaceRole}`,
  nobodyWasInvited: "Nobody was invited.",
  sendInvitation: "Send invitation"
} as const

export const invitationActions = {
  resendInvitationOf: (name: string) => `Resend invitation of ${name}`,
  resendInvitation: "Resend invitation",
  withdrawInvitation: "Withdraw invitation",
  of: (name: string) => `of ${name}`,
  withdrawTheInvitationOf: (name: string) => `Withdraw the invitation of ${name}?`,
  itsLinkNoLongerWorks: "Its link no longer works. You can send another one, or remove them.",
  invitationOf: (name: string) => `Invitation of ${name}`,
  wasSentNoOtherInvitation: (name: string) => `${name} was sent no other invitation.`,
  invitationStands: "The invitation stands."
} as const

export const invitationSent = {
  mailWithALink: (email: string, until: ReactNode) =>
    nodes`A mail with a link is on its way to ${email}. They can join until ${until}.`,
  thisServiceSendsNoMail: (email: string, until: ReactNode) =>
    nodes`This service sends no mail. Give ${email} this link: whoever has it can join until ${until}, once. It is not shown again.`,
  copied: "Copied",
  copyLink: "Copy link"
} as const

export const memberActions = {
  roleOf: (name: string) => `Role of ${name}`,
  theirTokensAndConnectedApps:
    "Their tokens and connected apps end at once, and automations that they saved last no longer reach what they no longer see.",
  roleStaysAsItIs: "The role stays as it is.",
  giveThisRole: "Give this role",
  role: "Role",
  activateName: (name: string) => `Activate ${name}`,
  activate: "Activate",
  deactivate: "Deactivate",
  deactivateQuestion: (name: string) => `Deactivate ${name}?`,
  theyCanNoLongerAct:
    "They can no longer act here. API key, tokens and connected apps end at once and do not come back; what they wrote stays, and so does their place in workspaces. You can activate them again.",
  remove: "Remove",
  removeQuestion: (name: string) => `Remove ${name}?`,
  removeFromTheOrganization: "Remove from the organization",
  theyLeaveTheOrganization:
    "They leave the organization and its workspaces; API key, tokens and connected apps end at once. What they wrote keeps their name. This cannot be undone.",
  staysStatus: (name: string, status: string) => `${name} stays ${status}.`,
  wasNotRemoved: (name: string) => `${name} was not removed.`
} as const

export const membersPage = {
  findAPerson: "Find a person",
  countOfTotal: (count: number, total: number) => `${count} of ${total}`,
  you: "(you)",
  loadingMembersFailed: "Loading members failed."
} as const

export const signInMembers = {
  secondStepOn: "Second step on",
  passwordAlone: "Password alone",
  reset: "Reset",
  secondStepOf: (name: string) => `the second step of ${name}`,
  resetTheSecondStepOf: (name: string) => `Reset the second step of ${name}?`,
  theirPasskeysAuthenticatorApps:
    "Their passkeys, authenticator apps and recovery codes are removed, and they are signed out everywhere. They sign in by the password alone, and get a mail about it.",
  itWasNotReset: "It was not reset.",
  people: "People",
  findAPerson: "Find a person",
  whichPeople: "Which people",
  everybody: "Everybody",
  withoutASecondStep: "Without a second step",
  loadingPeopleFailed: "Loading people failed.",
  everybodyHasASecondStep: "Everybody has a second step",
  nobodyIsFound: "Nobody is found",
  showMorePeople: "Show more people",
  loadingMorePeopleFailed: "Loading more people failed."
} as const
