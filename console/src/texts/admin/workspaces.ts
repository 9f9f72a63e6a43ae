// Texts of workspaces and their members.

export const addToWorkspace = {
  addSomebody: "Add somebody",
  person: "Person",
  role: "Role",
  add: "Add",
  nobodyWasAdded: "Nobody was added."
} as const

export const newWorkspace = {
  newWorkspace: "New workspace",
  name: "Name",
  whoItIsFor: "Who it is for",
  youBecomeItsAdmin: "You become its admin. Who it is for cannot be changed later.",
  workspaceWasNotMade: "The workspace was not made.",
  createWorkspace: "Create workspace"
} as const

export const rolePicks = {
  role: "Role"
} as const

export const workspaceMemberRow = {
  userUserId: (userId: number) => `User ${userId}`,
  you: "(you)",
  roleOf: (name: string) => `Role of ${name}`,
  leave: "Leave",
  remove: "Remove",
  leaveTheWorkspace: "Leave the workspace?",
  removeFromTheWorkspace: (name: string) => `Remove ${name} from the workspace?`,
  itsAppsNoLongerUnless: (theySee: string, they: string) =>
    `${theySee} its apps no longer, unless the organization's role or the kind of workspace shows them. Automations that ${they} saved last lose what they no longer reach.`,
  youSee: "You see",
  theySee: "They see",
  youInSentence: "you",
  they: "they",
  roleStaysAsItIs: "The role stays as it is.",
  staysAMember: (name: string) => `${name} stays a member.`
} as const

export const workspacePage = {
  members: "Members",
  nobodyByName: "Nobody by name",
  joinTheWorkspace: "Join the workspace",
  youDidNotJoin: "You did not join.",
  thereIsNoSuchWorkspace: "There is no such workspace",
  itDoesNotExist: "It does not exist, or you may not see it.",
  loadingMembersFailed: "Loading members failed.",
  loadingPeopleFailed: "Loading people failed.",
  loadingTheWorkspaceFailed: "Loading the workspace failed."
} as const

export const workspacesPage = {
  noWorkspacesYet: "No workspaces yet",
  appsLieInWorkspaces: "Apps lie in workspaces. Begin with one.",
  loadingWorkspacesFailed: "Loading workspaces failed."
} as const
