// Tools for the users and workspaces of the organization (developer-api.md 2.1, 2.2, 11.5).
import { Schema } from "effect"
import { adds, reads, tool } from "../Tool.ts"
import { text } from "./args.ts"

export const peopleTools = [
  tool({
    name: "list_users",
    title: "List users",
    description:
      "The people of the organization with user_id, name, mail, role and status: for user fields and mentions.",
    hints: reads,
    endpoint: ["accounts", "users"],
    args: {}
  }),
  tool({
    name: "list_workspaces",
    title: "List workspaces",
    description: "The workspaces that the user can see, with the workspace_id that a new app needs.",
    hints: reads,
    endpoint: ["workspaces", "list"],
    args: {}
  })
]

export const invitationTools = [
  tool({
    name: "invite_user",
    title: "Invite a user",
    description: "Mails a person a link to join the organization. Ask the user first.",
    hints: adds,
    endpoint: ["accounts", "userCreate"],
    args: {
      name: text("Of the person."),
      email: text("Where the link goes."),
      role: Schema.Literals(["admin", "member", "guest"]).annotate({ description: "In the organization." })
    },
    body: ["name", "email", "role"]
  })
]
