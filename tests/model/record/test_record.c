/* Records: what a good one holds, and what is refused, where and with which words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/record/record.h"

static void a_record_is_read(void **unused) {
    (void)unused;
    isocast_diagnostics diagnostics = {0};
    isocast_record *r = NULL;
    assert_int_equal(isocast_record_load(ISOCAST_SOURCE_DIR "/tests/model/record/stencil-4.csv",
                                         &diagnostics, &r),
                     ISOCAST_OK);
    assert_string_equal(r->program, "./jacobi");
    assert_int_equal(r->argument_count, 2);
    assert_string_equal(r->arguments[0], "240");
    assert_string_equal(r->arguments[1], "-v");
    assert_int_equal(r->process_count, 4);
    assert_int_equal(r->end, ISOCAST_RECORD_COMPLETE);
    assert_int_equal(r->site_count, 5);
    assert_string_equal(r->sites[1].function, "exchange");
    assert_int_equal(r->sites[1].line, 25);
    assert_int_equal(r->frame_count, 2);
    assert_int_equal(r->frames[1].caller, 0);
    assert_int_equal(r->sites[1].caller, 1);
    assert_string_equal(r->sites[1].path, "jacobi.c:33 in step\njacobi.c:48 in main\n");
    assert_int_equal(r->sites[2].caller, SIZE_MAX);
    assert_string_equal(r->sites[2].path, "");
    assert_int_equal(r->communicator_count, 3);
    assert_int_equal(r->communicators[1].dimension_count, 2);
    assert_int_equal(r->communicators[1].parent, 0);
    assert_int_equal(r->communicators[0].parent, SIZE_MAX);
    assert_int_equal(r->communicators[2].size, 2);
    assert_int_equal(r->communicators[2].members[1], 2);
    assert_int_equal(isocast_record_rank(&r->communicators[2], 2), 1);
    assert_int_equal(isocast_record_rank(&r->communicators[2], 3), SIZE_MAX);
    assert_int_equal(r->call_count, 15);
    const isocast_record_call *call = &r->calls[2];
    assert_int_equal(call->operation, ISOCAST_RECORD_OPERATION_Sendrecv);
    assert_int_equal(isocast_record_operation_find(call->operation)->kind, ISOCAST_RECORD_EXCHANGE);
    assert_true(call->bytes == 960 && call->received == 960 && call->calls == 100);
    assert_true(r->calls[14].merged && r->calls[14].bytes == 512);
    assert_int_equal(r->compute_count, 2);
    assert_true(r->computes[1].time == 0.47);
    isocast_record_free(r);
    isocast_diagnostics_clear(&diagnostics);
}

/* The start of a good record, up to its processes. */
#define HEAD "record,1\nprogram,a\nprocesses,4\nend,killed\n"
#define WHOLE "record,1\nprogram,a\nprocesses,2\n"
#define SITE "site,0,f,a.c,3,a,16\n"
#define WORLD "communicator,0,MPI_COMM_WORLD,,,,0-3,,\n"

static void bad_records_are_refused(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *problem;
    } cases[] = {
        {"x", "1:1: error: this is no record"},
        {"record,2\n", "1:8: error: this is a record of version '2'"},
        {"record,1\nprogram,a\n", "has no line 'processes'"},
        {"record,1\nprogram,a\nprocesses,1\n", "has no line 'end'"},
        {"record,1\nprogram,a\nprocesses,0\nend,killed\n", "one process at least"},
        {"record,1\nprocesses,99999999999999999999\n", "2:11: error: the number of processes"},
        {HEAD "sites,1\n", "is it 'site'"},
        {HEAD "site,1,f,a.c,3,a,16\n", "5:6: error: this site must have the number 0"},
        {HEAD "site,0,f,a.c,3,a\n", "has 7 fields, this one has 6"},
        {HEAD "site,0,f,a.c,-3,a,16\n", "a line must be a whole number"},
        {HEAD "site,0,f,a.c,3,a,nan\n", "an offset must be a number"},
        {HEAD "frame,1,f,a.c,3,a,16,\n", "5:7: error: this frame must have the number 0"},
        {HEAD "frame,0,f,a.c,3,a,16,0\n", "a frame cannot be"},
        {HEAD "frame,0,f,a.c,3,a,16\n", "has 8 fields, this one has 7"},
        {HEAD "frame,0,f,a.c,3,a,16,\nframe,1,f,a.c,3,a,16,1\n", "a frame must be a whole number"},
        {HEAD SITE "caller,0,0\n", "a frame cannot be"},
        {HEAD SITE "frame,0,f,a.c,3,a,16,\ncaller,1,0\n", "a site must be a whole number"},
        {HEAD "communicator,0,x,0,,,0-3,,\n", "a site cannot be"},
        {HEAD "communicator,0,x,,0,,0-3,,\n", "a communicator cannot be"},
        {HEAD "communicator,0,x,,,,0-4,,\n", "is no list of ranks below 4"},
        {HEAD "communicator,0,x,,,,3-0,,\n", "is no list of ranks below 4"},
        {HEAD "communicator,0,x,,,,0-3/0,,\n", "is no list of ranks below 4"},
        {HEAD "communicator,0,x,,,,0-,,\n", "is no list of ranks below 4"},
        {HEAD "communicator,0,x,,,,1;2,,\n", "is no list of ranks below 4"},
        {HEAD "communicator,0,x,,,,,,\n", "has one member at least"},
        {HEAD "communicator,0,x,,,,0-3,2x3,0x0\n", "are no dimensions of a grid of 4"},
        {HEAD "communicator,0,x,,,,0-3,2x2,0\n", "are no dimensions of a grid of 4"},
        {HEAD "communicator,0,x,,,,0-3,2x2,0x0x1\n", "are no dimensions of a grid of 4"},
        {HEAD "process,4,h,1,1,0,0,0,0,complete\n", "a process must be a whole number from 0 to 3"},
        {HEAD "process,0,h,1,1,0,0,0,0,gone\n", "not 'gone'"},
        {HEAD "process,0,h,1,1,0,0,0,0,killed\nprocess,0,h,1,1,0,0,0,0,killed\n", "a second line"},
        {HEAD SITE WORLD "call,0,0,0,MPI_Sent,1,8,,,1,0\n", "there is no call 'MPI_Sent'"},
        {HEAD SITE WORLD "call,0,0,0,MPI_Send,4,8,,,1,0\n", "a partner must be a whole number"},
        {HEAD SITE WORLD "call,0,0,0,MPI_Send,1,-8,,,1,0\n", "the size must be a number from 0"},
        {HEAD SITE WORLD "call,0,0,0,MPI_Send,1,8,,,0,0\n", "the number of calls must be"},
        {HEAD SITE WORLD "call,0,1,0,MPI_Send,1,8,,,1,0\n", "a site must be a whole number"},
        {HEAD SITE "compute,0,0,1,1,0,0,0,0\n", "a site must be a whole number"},
        {HEAD SITE "compute,0,0,0,1,1e300,0,0,0\n", "from 0 to 1e+20, this is '1e300'"},
        {HEAD SITE WORLD "call,0,0,0,MPI_Send,1,1e21,,,1,0\n", "from 0 to 1e+20, this is '1e21'"},
        {WHOLE "lines,3\nend,killed\n" SITE,
         "4:7: error: '3' lines must follow this one, and 2 do"},
        {WHOLE "lines,1\nend,killed\nlines,0\n", "'1' lines must follow this one, and 2 do"},
        {WHOLE "lines\nend,killed\n", "4:1: error: 'lines' lines must follow this one, and 1 do"},
        {WHOLE "lines,2\nend,killed\nsite,0,f,a.c,3,a,1", "the last of the 2 lines that follow"},
        {WHOLE "end,complete\nprocess,0,h,1,1,0,0,0,0,complete\n",
         "has no line 'process' for 1 of its 2 processes, which all ended well"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        isocast_diagnostics diagnostics = {0};
        isocast_source *source = NULL;
        isocast_record *record = NULL;
        assert_int_equal(isocast_source_create("r", cases[i].text, strlen(cases[i].text), &source),
                         ISOCAST_OK);
        assert_int_equal(isocast_record_read(source, &diagnostics, &record), ISOCAST_INVALID);
        isocast_buffer text = {0};
        isocast_diagnostics_render(&diagnostics, &text);
        if (strstr(text.text, cases[i].problem) == NULL) {
            fail_msg("'%s' gave:\n%s\nnot: %s", cases[i].text, text.text, cases[i].problem);
        }
        isocast_buffer_free(&text);
        isocast_diagnostics_clear(&diagnostics);
        assert_null(record);
    }
}

/* Members that a few bytes stand for are bounded. */
static void members_are_bounded(void **unused) {
    (void)unused;
    isocast_buffer text = {0};
    isocast_buffer_puts(&text, "record,1\nprogram,a\nprocesses,131072\nend,killed\n");
    for (int i = 0; i < 130; i++) {
        isocast_buffer_printf(&text, "communicator,%d,x,,,,0-131071,,\n", i);
    }
    isocast_diagnostics diagnostics = {0};
    isocast_source *source = NULL;
    isocast_record *record = NULL;
    assert_int_equal(isocast_source_create("r", text.text, text.length, &source), ISOCAST_OK);
    assert_int_equal(isocast_record_read(source, &diagnostics, &record), ISOCAST_INVALID);
    isocast_buffer_free(&text);
    isocast_diagnostics_clear(&diagnostics);
}

/* Any bytes in the place of those of a good record: read or refused, never worse. */
static void broken_records_are_borne(void **unused) {
    (void)unused;
    isocast_diagnostics diagnostics = {0};
    isocast_record *good = NULL;
    assert_int_equal(isocast_record_load(ISOCAST_SOURCE_DIR "/tests/model/record/stencil-4.csv",
                                         &diagnostics, &good),
                     ISOCAST_OK);
    uint32_t state = 1;
    for (int i = 0; i < 3000; i++) {
        char *text = strdup(good->source->text);
        assert_non_null(text);
        for (int changes = 0; changes < 3; changes++) {
            state = state * 1664525U + 1013904223U;
            size_t at = (state >> 8) % good->source->length;
            state = state * 1664525U + 1013904223U;
            text[at] = ",0-9/x\n'\"e. k5"[(state >> 8) % 15];
        }
        isocast_source *source = NULL;
        isocast_record *record = NULL;
        assert_int_equal(isocast_source_create("r", text, strlen(text), &source), ISOCAST_OK);
        free(text);
        if (isocast_record_read(source, &diagnostics, &record) == ISOCAST_OK) {
            isocast_record_free(record);
        } else {
            assert_true(diagnostics.errors > 0);
        }
        isocast_diagnostics_clear(&diagnostics);
    }
    isocast_record_free(good);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_read), cmocka_unit_test(bad_records_are_refused),
        cmocka_unit_test(members_are_bounded), cmocka_unit_test(broken_records_are_borne)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
