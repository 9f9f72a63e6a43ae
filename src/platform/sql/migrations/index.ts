// Every migration in order. A migration that has run anywhere is never edited: later changes are new files.
import accounts from "./0001_accounts.ts"
import outbox from "./0002_outbox.ts"
import actors from "./0003_actors.ts"
import records from "./0004_records.ts"
import webhooks from "./0005_webhooks.ts"
import oauth from "./0006_oauth.ts"
import automations from "./0007_automations.ts"
import runs from "./0008_runs.ts"
import mail from "./0009_mail.ts"
import files from "./0010_files.ts"
import pages from "./0011_pages.ts"
import notices from "./0012_notices.ts"
import weblinks from "./0013_weblinks.ts"
import definitions from "./0014_definitions.ts"
import authority from "./0015_authority.ts"
import floods from "./0016_floods.ts"
import storage from "./0017_storage.ts"
import catchWindows from "./0018_catch_windows.ts"
import secrets from "./0019_secrets.ts"
import waiting from "./0020_waiting.ts"
import onFailure from "./0021_on_failure.ts"
import applyKey from "./0022_apply_key.ts"
import turns from "./0023_turns.ts"
import webhookPayloads from "./0024_webhook_payloads.ts"
import runCalls from "./0025_run_calls.ts"
import places from "./0026_places.ts"
import schemaLevel from "./0027_schema_level.ts"
import installationEpoch from "./0028_installation_epoch.ts"
import hookSettings from "./0029_hook_settings.ts"
import runsLine from "./0030_runs_line.ts"
import recordCounts from "./0031_record_counts.ts"
import reserveIds from "./0032_reserve_ids.ts"
import webhookReplays from "./0033_webhook_replays.ts"
import hookStatistics from "./0034_hook_statistics.ts"
import traceparent from "./0035_traceparent.ts"
import hookFilterProblem from "./0036_hook_filter_problem.ts"
import idWeeks from "./0037_id_weeks.ts"
import webhookLogWeeks from "./0038_webhook_log_weeks.ts"
import sessionTokens from "./0039_session_tokens.ts"
import changes from "./0040_changes.ts"
import sessionOrigin from "./0041_session_origin.ts"
import runLogPlaces from "./0042_run_log_places.ts"
import secondFactors from "./0043_second_factors.ts"
import recordKeys from "./0044_record_keys.ts"
import mailAccounts from "./0045_mail_accounts.ts"
import eventsFrom from "./0046_events_from.ts"
import runLogWeeks from "./0047_run_log_weeks.ts"
import keyCounts from "./0048_key_counts.ts"
import recordsAdded from "./0049_records_added.ts"
import recordCountsPath from "./0050_record_counts_path.ts"
import shortLocks from "./0051_short_locks.ts"
import withheldDays from "./0052_withheld_days.ts"
import webhookBundles from "./0053_webhook_bundles.ts"
import recordsCalled from "./0054_records_called.ts"
import weblinkAskers from "./0055_weblink_askers.ts"
import allowedUse from "./0056_allowed_use.ts"
import hookReach from "./0057_hook_reach.ts"
import auditCredential from "./0058_audit_credential.ts"
import folding from "./0059_folding.ts"
import liveness from "./0060_liveness.ts"
import webhookRequests from "./0061_webhook_requests.ts"
import uniqueValues from "./0062_unique_values.ts"
import runAnswers from "./0063_run_answers.ts"
import invitations from "./0064_invitations.ts"
import runWaitsRun from "./0065_run_waits_run.ts"
import refusedSenders from "./0066_refused_senders.ts"
import jobs from "./0067_jobs.ts"
import search from "./0068_search.ts"
import calculations from "./0069_calculations.ts"
import fieldConversions from "./0070_field_conversions.ts"
import imports from "./0071_imports.ts"
import relatedCalculations from "./0072_related_calculations.ts"
import searchLines from "./0073_search_lines.ts"
import followingJobs from "./0074_following_jobs.ts"
import viewLooks from "./0075_view_looks.ts"
import pairIndexes from "./0076_pair_indexes.ts"
import searchUpdates from "./0077_search_updates.ts"
import keptKeys from "./0078_kept_keys.ts"
import automationTags from "./0079_automation_tags.ts"
import entryLookups from "./0080_entry_lookups.ts"
import updatedKeys from "./0081_updated_keys.ts"

export const migrations = {
  "0001_accounts": accounts,
  "0002_outbox": outbox,
  "0003_actors": actors,
  "0004_records": records,
  "0005_webhooks": webhooks,
  "0006_oauth": oauth,
  "0007_automations": automations,
  "0008_runs": runs,
  "0009_mail": mail,
  "0010_files": files,
  "0011_pages": pages,
  "0012_notices": notices,
  "0013_weblinks": weblinks,
  "0014_definitions": definitions,
  "0015_authority": authority,
  "0016_floods": floods,
  "0017_storage": storage,
  "0018_catch_windows": catchWindows,
  "0019_secrets": secrets,
  "0020_waiting": waiting,
  "0021_on_failure": onFailure,
  "0022_apply_key": applyKey,
  "0023_turns": turns,
  "0024_webhook_payloads": webhookPayloads,
  "0025_run_calls": runCalls,
  "0026_places": places,
  "0027_schema_level": schemaLevel,
  "0028_installation_epoch": installationEpoch,
  "0029_hook_settings": hookSettings,
  "0030_runs_line": runsLine,
  "0031_record_counts": recordCounts,
  "0032_reserve_ids": reserveIds,
  "0033_webhook_replays": webhookReplays,
  "0034_hook_statistics": hookStatistics,
  "0035_traceparent": traceparent,
  "0036_hook_filter_problem": hookFilterProblem,
  "0037_id_weeks": idWeeks,
  "0038_webhook_log_weeks": webhookLogWeeks,
  "0039_session_tokens": sessionTokens,
  "0040_changes": changes,
  "0041_session_origin": sessionOrigin,
  "0042_run_log_places": runLogPlaces,
  "0043_second_factors": secondFactors,
  "0044_record_keys": recordKeys,
  "0045_mail_accounts": mailAccounts,
  "0046_events_from": eventsFrom,
  "0047_run_log_weeks": runLogWeeks,
  "0048_key_counts": keyCounts,
  "0049_records_added": recordsAdded,
  "0050_record_counts_path": recordCountsPath,
  "0051_short_locks": shortLocks,
  "0052_withheld_days": withheldDays,
  "0053_webhook_bundles": webhookBundles,
  "0054_records_called": recordsCalled,
  "0055_weblink_askers": weblinkAskers,
  "0056_allowed_use": allowedUse,
  "0057_hook_reach": hookReach,
  "0058_audit_credential": auditCredential,
  "0059_folding": folding,
  "0060_liveness": liveness,
  "0061_webhook_requests": webhookRequests,
  "0062_unique_values": uniqueValues,
  "0063_run_answers": runAnswers,
  "0064_invitations": invitations,
  "0065_run_waits_run": runWaitsRun,
  "0066_refused_senders": refusedSenders,
  "0067_jobs": jobs,
  "0068_search": search,
  "0069_calculations": calculations,
  "0070_field_conversions": fieldConversions,
  "0071_imports": imports,
  "0072_related_calculations": relatedCalculations,
  "0073_search_lines": searchLines,
  "0074_following_jobs": followingJobs,
  "0075_view_looks": viewLooks,
  "0076_pair_indexes": pairIndexes,
  "0077_search_updates": searchUpdates,
  "0078_kept_keys": keptKeys,
  "0079_automation_tags": automationTags,
  "0080_entry_lookups": entryLookups,
  "0081_updated_keys": updatedKeys
}

/**
 * Migration of the oldest release that may work next to this schema. Whoever adds a migration that the release before cannot work with (a
 * column that is dropped or required, a value that it cannot read) names it here.
 */
export const oldestBeside: keyof typeof migrations = "0026_places"
