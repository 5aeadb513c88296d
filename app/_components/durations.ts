export { formatPeriod as durationText, formatShortDuration as shortDuration } from "@/lib/limiter/text";
