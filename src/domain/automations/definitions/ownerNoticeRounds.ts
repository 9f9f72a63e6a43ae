// The room's mails to owners in a worker process, every few seconds.
import { noticeRounds } from "../../../ground/mail/notices.ts"
import { ownerNotices } from "./ownerNotices.ts"

export const OwnerRounds = noticeRounds("telling owners about automations", ownerNotices)
