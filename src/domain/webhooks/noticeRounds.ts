// Recurring work of the webhooks module in a worker process: mails to admins every few seconds.
import { noticeRounds } from "../../platform/mail/notices.ts"
import { hookNotices } from "./tellAdmins.ts"

export const HookRounds = noticeRounds("telling admins about webhooks", hookNotices)
