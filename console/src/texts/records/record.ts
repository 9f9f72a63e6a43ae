// Texts of a record's page and panel: its form, comments and history, and a new record.
import type { ReactNode } from "react"
import { plural } from "../../../../src/platform/text/plural.ts"
import { nodes } from "../nodes.ts"

export const comments = {
  edited: " · edited",
  itWasNotSent: "It was not sent.",
  reply: "Reply",
  replies: (replyCount: number) => plural(replyCount, { one: "1 reply", other: `${replyCount} replies` }),
  loadingRepliesFailed: "Loading replies failed.",
  comments: "Comments",
  nobodyHasSaidAnythingYet: "Nobody has said anything yet.",
  comment: "Comment",
  showMoreReplies: "Show more replies",
  loadingMoreRepliesFailed: "Loading more replies failed.",
  loadingCommentsFailed: "Loading comments failed.",
  showMoreComments: "Show more comments",
  loadingMoreCommentsFailed: "Loading more comments failed."
} as const

export const fieldRow = {
  editLabel: (label: string) => `Edit ${label}`,
  edit: "Edit"
} as const

export const history = {
  verbs: {
    creation: "created it",
    update: "changed it",
    deletion: "put it into the trash",
    restore: "took it out of the trash"
  },
  noFieldIsDifferent: "No field is different.",
  putThisBack: "Put this back as it was",
  itWasNotPutBack: "It was not put back.",
  hideWhatChanged: "Hide what changed",
  whatChanged: "What changed",
  history: "History",
  loadingTheChangesFailed: "Loading the changes failed.",
  loadingTheHistoryFailed: "Loading the history failed."
} as const

export const newRecordPage = {
  apps: "Apps",
  app: "App",
  newRecord: "New record",
  newItemName: (itemName: string) => `New ${itemName}`,
  youMayNotAddRecords: "You may not add records here",
  youMayLookAtThose: "You may look at those that are there.",
  theNewRecord: "The new record",
  save: "Save",
  loadingTheAppFailed: "Loading the app failed."
} as const

export const recordForm = {
  recordWasNotSaved: "The record was not saved.",
  buttonAndAddAnother: (button: string) => `${button} and add another`,
  wasSaved: (link: ReactNode) => nodes`${link} was saved.`
} as const

export const recordPage = {
  apps: "Apps",
  record: "Record",
  createdTimeByAuthorName: (time: ReactNode, authorName: string) => nodes`Created ${time} by ${authorName}`,
  changedTimeByAuthorName: (time: ReactNode, authorName: string) => nodes`· changed ${time} by ${authorName}`,
  loadingTheRecordFailed: "Loading the record failed."
} as const

export const recordPanel = {
  record: "Record",
  openAsPage: "Open as page",
  close: "Close",
  loadingTheRecordFailed: "Loading the record failed."
} as const

export const recordParts = {
  delete: "Delete",
  deleteThisRecord: "Delete this record?",
  deleteIt: "Delete it",
  itGoesToTheTrash: "It goes to the trash, from where it can be taken back for 30 days.",
  itWasNotDeleted: "It was not deleted.",
  thisRecordIsInTheTrash: "This record is in the trash, and is destroyed 30 days after its deletion.",
  restoreIt: "Restore it",
  itWasNotRestored: "It was not restored.",
  hasNoResult: (strong: ReactNode, message: string) => nodes`${strong} has no result: ${message}.`,
  fields: "Fields",
  loadingFieldsFailed: "Loading fields failed."
} as const
