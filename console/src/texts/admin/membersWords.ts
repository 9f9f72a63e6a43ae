// Words of members: roles, states, invitations.

export const memberWords = {
  roleWords: {
    owner: { word: "Owner", about: "Everything, owners included. Only owners make owners." },
    admin: { word: "Admin", about: "Members, app policy, and every workspace that is not private." },
    member: { word: "Member", about: "The workspaces that they belong to, and those open to all." },
    guest: { word: "Guest", about: "Only what is shared with them. No apps of others, no tokens." }
  },
  invitationWords: {
    queued: "Invitation on its way",
    sent: "Invited",
    failed: "Invitation not delivered",
    shown: "Invited",
    withdrawn: "Invitation withdrawn"
  },
  active: "Active",
  deactivated: "Deactivated",
  notSignedInYet: "Not signed in yet",
  invitationExpired: "Invitation expired"
} as const
