// Words of the organization: the names of its pages.

export const places = {
  members: "Members",
  whoBelongsToTheOrganization: "Who belongs to the organization, with which role, and who has not signed in yet.",
  membersOfTheOrganizationSee: "Members of the organization see each other; guests see what is shared with them.",
  workspaces: "Workspaces",
  whatAppsLie: "What apps lie in, and who may see them.",
  membersOfTheOrganizationSeeItsWorkspaces:
    "Members of the organization see its workspaces; guests see what is shared with them.",
  secrets: "Secrets",
  valuesThatAutomationsUse: "Values that automations use by name and nobody reads back.",
  membersOfTheOrganizationSeeItsSecrets: "Members of the organization see its secrets by name; guests see none.",
  mailAccounts: "Mail accounts",
  byWhichServersMail: "By which servers mail of automations goes out, and as whom.",
  ownersAndAdmins: "Owners and admins of the organization keep its mail accounts.",
  providers: "Providers",
  whereAutomationsAndWebhooksGet: "Where automations and webhooks get the tokens that they sign in with elsewhere.",
  ownersAndAdminsOfTheOrganization: "Owners and admins of the organization keep its authentication providers.",
  connectedApps: "Connected apps",
  whichAppsActForPeople: "Which apps act for people here, which may connect, and the end of it.",
  ownersAndAdminsOfTheOrganizationSee:
    "Owners and admins of the organization see its connected apps. Yours are in your account.",
  signInPolicy: "Sign-in policy",
  whetherEverybodyNeedsASecond:
    "Whether everybody needs a second step, who has one, and the reset for who has lost theirs.",
  ownersAndAdminsOfTheOrganizationSet:
    "Owners and admins of the organization set its sign-in policy. Your second step is in your account.",
  usage: "Usage",
  whatTheOrganizationUses: "What the organization uses of its shares, and how much there is of everything.",
  ownersAndAdminsSeeUsage: "Owners and admins of the organization see what it uses.",
  audit: "Audit",
  whoDidWhatSign: "Who did what: sign-ins, connections, keys, and what admins changed.",
  ownersAndAdminsOfTheOrganizationRead: "Owners and admins of the organization read its audit log."
} as const
