/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms as bytes. */
#include "results/histblob.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC		"vmh1"
#define HEADER_SIZE	52	/* magic, bits, 5 u64, number of entries */
#define ENTRY_SIZE	12	/* bucket, count */

static u8 *put_le(u8 *p, u64 value, int bytes)
{
	while (bytes--) {
		*p++ = (u8)value;
		value >>= 8;
	}
	return p;
}

static u64 get_le(const u8 **p, int bytes)
{
	u64 value = 0;
	int i;

	for (i = 0; i < bytes; i++)
		value |= (u64)(*p)[i] << (8 * i);
	*p += bytes;
	return value;
}

u8 *hist_encode(const struct hist *h, size_t *size)
{
	u32 i, nr = 0;
	u8 *data, *p;

	for (i = 0; i < HIST_NR; i++)
		nr += h->bucket[i] != 0;
	*size = HEADER_SIZE + (size_t)nr * ENTRY_SIZE;
	data = malloc(*size);
	if (!data)
		return NULL;
	memcpy(data, MAGIC, 4);
	p = put_le(data + 4, HIST_BITS, 4);
	p = put_le(p, h->count, 8);
	p = put_le(p, h->min, 8);
	p = put_le(p, h->max, 8);
	p = put_le(p, (u64)h->sum, 8);
	p = put_le(p, (u64)(h->sum >> 64), 8);
	p = put_le(p, nr, 4);
	for (i = 0; i < HIST_NR; i++) {
		if (!h->bucket[i])
			continue;
		p = put_le(p, i, 4);
		p = put_le(p, h->bucket[i], 8);
	}
	return data;
}

int hist_decode(struct hist *h, const u8 *data, size_t size)
{
	const u8 *p = data + 4;
	u64 count = 0, high;
	s64 last = -1;
	u32 nr;

	if (size < HEADER_SIZE || memcmp(data, MAGIC, 4))
		return -EUCLEAN;
	if (get_le(&p, 4) != HIST_BITS)
		return -EPROTO;
	hist_init(h);
	h->count = get_le(&p, 8);
	h->min = get_le(&p, 8);
	h->max = get_le(&p, 8);
	h->sum = get_le(&p, 8);
	high = get_le(&p, 8);
	h->sum |= (u128)high << 64;
	nr = (u32)get_le(&p, 4);
	if (size != HEADER_SIZE + (size_t)nr * ENTRY_SIZE)
		return -EUCLEAN;
	while (nr--) {
		u32 bucket = (u32)get_le(&p, 4);

		if (bucket >= HIST_NR || bucket <= last)
			return -EUCLEAN;
		last = bucket;
		h->bucket[bucket] = get_le(&p, 8);
		count += h->bucket[bucket];
	}
	return count == h->count ? 0 : -EUCLEAN;
}
