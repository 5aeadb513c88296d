export { formatNumber, formatRounded, formatTenths } from "@/lib/limiter/text";
