// Words of workspaces: types and roles.

export const workspaceWords = {
  workspaceTypes: {
    default: { word: "For everybody", about: "Every member of the organization belongs to it; guests do not." },
    open: {
      word: "Open",
      about: "Every member of the organization may read its apps and join by themselves."
    },
    closed: {
      word: "Closed",
      about: "Its members alone see what is in it; its name is known to the organization."
    },
    private: {
      word: "Private",
      about: "Nobody but its members knows of it, owners of the organization included."
    }
  },
  workspaceRoles: {
    admin: "Admin: builds apps, automations and webhooks, chooses members",
    member: "Member: reads and edits records",
    guest: "Guest: sees what is shared with them"
  }
} as const
